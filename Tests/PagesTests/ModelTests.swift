import Pages
import Templates
import Testing

/// What theme authors see of the page models.
struct ModelTests {
    static let pages: [any TemplateModel.Type] = [
        PortfolioPage.self, ListPage.self, AppPage.self, ActivityPage.self, ReleasesPage.self,
        ReleasePage.self,
        ComparePage.self,
        IssuesPage.self,
        IssuePage.self, UsagePage.self, DayPage.self, MethodsPage.self, SourcesPage.self, NotFoundPage.self,
        ContentPage.self, SummaryDocument.self, SingleFilePage.self,
    ]
    static let parts: [any TemplateModel.Type] = [
        Frame.self, LinkItem.self, Figure.self, VerdictView.self, ChartView.self, ChartRow.self, AppRow.self,
        GroupRow.self,
        EventEntry.self, IssueRow.self, ReleaseRow.self, NoteView.self, SourceRow.self, DiagnosticView.self,
        PublicationRow.self,
        ActivityDay.self, FactRow.self, IssueReleaseRow.self, UsageRow.self, DeviceTable.self, DeviceRow.self,
        RevisionRow.self,
        FormulaRow.self,
        ComparedRateRow.self, ComparedIssues.self, ComparedIssueRow.self, IssueCountView.self,
        AgeRow.self, BudgetView.self, DropBreakdownView.self, DropReleaseRow.self, DropIssueRow.self,
        RuleRow.self, ContentsRow.self, FoldedGroup.self, MutedSection.self, MutedEntry.self, MuteRow.self,
        EventCounts.self, EventsOfReleaseRow.self,
        ContentPart.self, ContentText.self, ChipView.self, StateRow.self, VerdictBlock.self, TilesBlock.self,
        TopIssuesBlock.self,
        ReleasesBlock.self, ActivityBlock.self, BudgetBlock.self, NotesBlock.self, AbsentBlock.self,
    ]
    static let all = pages + parts + EventEntry.views

    @Test func listHoldsEveryModelThatAPageLeadsTo() {
        let reached = Self.pages.flatMap { modelsReached(from: $0).map(\.name) }
        #expect(Set(reached) == Set(Self.all.map { $0.modelName }))
    }

    @Test func namesAreUniqueAndInKebabCase() throws {
        let names = Self.all.map { $0.modelName }
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(name)") }
    }

    @Test(arguments: all.map { $0.modelName })
    func fieldsHaveUniqueNamesAndWords(name: String) throws {
        let model = try #require(Self.all.first { $0.modelName == name })
        let fields = reference(of: model)
        #expect(!fields.isEmpty)
        #expect(Set(fields.map(\.name)).count == fields.count)
        for field in fields {
            #expect(field.name.wholeMatch(of: /[a-z][A-Za-z]*/) != nil, "\(field.name)")
            #expect(!field.doc.isEmpty && field.doc == field.doc.trimmingPrefix(/\s+/), "\(field.name)")
        }
    }
}
