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
    package var covering: String?
    package var issues: [IssueRow]
    package var users: ChartView?
    package var ranks: ChartView?
    package var devices: DeviceTable?
    package var unavailable: String?
    package var parts: [LinkItem]

    package static let fields: [Field<IssuesPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .text("sentence", "How many issues there are and what state they are in", \.sentence),
        .text("span", "What the counts are counted over, such as `28 days to Thu, Nov 19, 2026`", \.span),
        .optionalText(
            "covering", "The fewest issues that account for 80% of the crashes of the span", \.covering),
        .list("issues", "The issues, most events first", \.issues),
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
    /// All issues of an app.
    package init(
        _ issues: IssuesSection, _ stability: StabilitySection, _ facts: AppFacts, site: SiteFacts
    ) {
        let path = SitePath.part(.issues, of: facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        self.frame = Frame(
            path, title: "\(facts.app.name): issues", summary: "The issues of \(facts.app.name)",
            freshness: facts.freshness.sentence,
            crumbs: facts.app.way,
            hasData: true, tables: stability.devices == nil ? [] : ["devices"], site: site)
        self.name = facts.app.name
        self.sentence = issuesSentence(issues)
        self.span = scope.issueSpanText(issues)
        self.covering = issues.covering?.sentence(counts: scope.audience.counts)
        self.issues = IssueRow.window(issues, in: scope)
        self.users = scope.issueUsersChart(issues)
        self.ranks = scope.issueRanksChart(issues)
        self.devices = stability.devices.map { DeviceTable($0, in: scope) }
        self.unavailable = issues.lack?.words(for: .issues)
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }
}

private func issuesSentence(_ issues: IssuesSection) -> String {
    let count = issues.all.count
    // Where no source knows issues none can be ruled out; the page says why.
    guard count > 0 else { return issues.lack == nil ? "No issues." : "Issues unknown." }
    let noun = count == 1 ? "issue" : "issues"
    let open = "\(countText(issues.openCount)) open"
    guard issues.mayLackSome else { return "\(countText(count)) \(noun), \(open)." }
    return "\(countText(count)) \(noun) listed, \(open); the source may have more."
}
