import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct MethodsTests {
    private func page(_ rules: [any Rule] = standardRules) -> MethodsPage {
        MethodsPage(
            [AppSummaryRow(AppAnalysis.make(.make()))], targets: [("Sketchbook", .standard)],
            rules: rules,
            introduction: nil, site: site)
    }

    @Test func everyRuleAndStateIsReported() {
        #expect(page().rules.map(\.kind) == standardRules.map { type(of: $0).kind.title })
        #expect(page().states.map(\.name) == Figure.State.allCases.map(\.rawValue))
        #expect(plain(page().targets.first?.value) == "target 99.5%, critical 98%")
        #expect(page().sources.map(\.session) == ["one run"])
    }

    @Test func constantsAreThoseThatTheCodeUses() {
        let texts = page([IssueVelocityRule(percent: 3, minimumUsers: 77, minimumSessions: 888)])
        #expect(
            texts.rules.map(\.statement) == [
                IssueVelocityRule(percent: 3, minimumUsers: 77, minimumSessions: 888).statement
            ])
        let formulas = Dictionary(texts.formulas.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
        #expect(formulas.count == texts.formulas.count)
        #expect(formulas["Provisional"]?.contains("\(SettlingAge.standard.settlesAfterHours) hours") == true)
        #expect(formulas["Same age"]?.contains("\(ReleaseComparison.peerCount) before it") == true)
        #expect(formulas["Same age"]?.hasSuffix("daily SD shrunk to 14.1%.") == true)
        #expect(formulas["Release verdict"]?.contains("cover \(ReleaseHistory.longest) days") == true)
        #expect(formulas["Error budget"]?.contains("of \(StabilityBudget.span) days") == true)
        #expect(formulas["Issue counts"]?.contains("\(AppFacts.listSpan) days") == true)
    }

    @Test(arguments: [
        (0.995, 0.98, "target 99.5%, critical 98%"), (1, 0.9995, "target 100%, critical 99.95%"),
        (0.99999, 0.1, "target 99.999%, critical 10%"), (0.57, 0.29, "target 57%, critical 29%"),
    ])
    func levelsAreWrittenAsTheyWereSet(target: Double, critical: Double, text: String) throws {
        let levels = try #require(Targets(target: target, critical: critical))
        let page = MethodsPage([], targets: [("A", levels)], rules: [], introduction: nil, site: site)
        #expect(plain(page.targets.first?.value) == text)
    }
}
