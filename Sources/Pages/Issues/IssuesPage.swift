package import Analysis
import AppHealth
import Formatting
package import Templates

/// All issues of one app.
package struct IssuesPage: TemplateModel {
    package static let modelName = "issues"
    package var frame: Frame
    package var name: String
    package var sentence: String
    package var span: String
    package var usersSpan: String
    package var usersSentence: String
    package var covering: String?
    package var issues: [IssueRow]
    package var users: ChartView?
    package var ranks: ChartView?
    package var devices: DeviceTable?
    package var unavailable: String?
    package var parts: [LinkItem]
    package var listParts: [LinkItem]

    package static let fields: [Field<IssuesPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .text("sentence", "How many issues there are and what state they are in", \.sentence),
        .text("span", "What the counts are counted over, such as `28 days to Thu, Nov 19, 2026`", \.span),
        .text(
            "usersSpan",
            "Over which time the users of an issue are counted, such as `lifetime` or `28 days`; `per source` where the source does not say",
            \.usersSpan),
        .text("usersSentence", "The same as a sentence", \.usersSentence),
        .optionalText(
            "covering", "The fewest issues that account for 80% of the crashes of the span", \.covering),
        .list(
            "issues", "The issues, most events first; of many those of this part of the list", \.issues),
        .flag("hasListParts", "True when the list is on several pages") { !$0.listParts.isEmpty },
        .list(
            "listParts",
            "The parts of the list, where it is on several pages: the first, the last and those around this one",
            \.listParts),
        .optional(
            "users",
            "The users affected by each top issue on the last day, with intervals; absent when none is known",
            \.users),
        .optional(
            "ranks",
            "How the top issues moved in the ranking of each day; absent when the source has no days",
            \.ranks),
        .optional(
            "devices", "Crashes by kind of device; absent when no source knows them", \.devices),
        .optionalText("unavailable", "Why there is no list, when there is none", \.unavailable),
        .list("parts", "The pages of this app", \.parts),
    ]
}

extension IssuesPage {
    /// How many issues a page has room for.
    private static let partSize = 200
    /// How many parts before and after a part it leads to.
    private static let partsAround = 5

    /// How the list of issues is spread over pages.
    package static func parts(_ issues: IssuesSection) -> PageParts {
        PageParts(of: issues.all.count, most: partSize)
    }

    /// All issues of an app, or a part of many; charts and other lists are with the first part.
    package init(
        _ issues: IssuesSection, _ stability: StabilitySection, _ facts: AppFacts, part: Int, site: SiteFacts
    ) {
        let app = facts.app.id
        let path = SitePath.issues(part: part, of: app)
        let (list, isFirst) = (Self.parts(issues), part == 1)
        let scope = AppScope(facts, at: path, of: site)
        self.frame = Frame(
            path, title: "\(facts.app.name): issues" + (list.span(of: part).map { " \($0)" } ?? ""),
            summary: "The issues of \(facts.app.name)",
            freshness: facts.freshnessSentence,
            crumbs: facts.app.way,
            hasData: isFirst, tables: !isFirst || stability.devices == nil ? [] : ["devices"], site: site)
        self.name = facts.app.name
        self.sentence = issuesSentence(issues)
        self.span = scope.issueSpanText(issues)
        self.usersSpan = facts.issueTotals.columnText
        self.usersSentence = facts.issueTotals.usersSentence
        let rows = IssueRow.window(issues, list.rows(of: part), in: scope)
        self.issues = rows
        self.covering =
            isFirst ? issues.covering?.sentence(counts: scope.audience.counts, above: rows) : nil
        self.users = isFirst ? scope.issueUsersChart(issues) : nil
        self.ranks = isFirst ? scope.issueRanksChart(issues) : nil
        let devices = isFirst ? stability.devices : nil
        self.devices = devices.map { DeviceTable($0, otherThan: issues.source, in: scope) }
        self.unavailable = issues.lack?.words(for: .issues)
        self.parts = partLinks(of: facts.app, from: path, scope.links)
        self.listParts = list.links(from: part, scope.links, around: Self.partsAround) {
            .issues(part: $0, of: app)
        }
    }
}

private func issuesSentence(_ issues: IssuesSection) -> String {
    let count = issues.all.count
    // Where no source knows issues none can be ruled out; the page says why.
    guard count > 0 else { return issues.lack == nil ? "No issues." : "Issues unknown." }
    let all = countedText(count, "issue")
    let open = "\(countText(issues.openCount)) open"
    guard issues.mayLackSome else { return "\(all), \(open)\(issues.isOfShare ? ofShareText : "")." }
    return "\(all) listed, \(open); the source may have more."
}
