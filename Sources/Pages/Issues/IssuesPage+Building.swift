import Analysis
import AppHealth
import Diagnostics
import Formatting
import Statistics

extension IssuesPage {
    /// All issues of an app.
    package init(_ report: AppReport, site: SiteFacts) {
        let path = SitePath.part(.issues, of: report.app.id)
        let links = site.links(from: path)
        self.frame = Frame(
            path, title: "\(report.app.name): issues", summary: "The issues of \(report.app.name)",
            freshness: report.freshness,
            crumbs: [("Apps", .portfolio), (report.app.name, .app(report.app.id))],
            hasData: true, site: site)
        self.name = report.app.name
        self.sentence = report.issuesSentence
        self.span = report.issueSpanText
        self.covering = report.coveringInWindow
        self.issues = report.issueRows(links)
        self.users = report.issueUsersChart()
        self.ranks = report.issueRanksChart()
        self.unavailable = report.why(no: .issues)
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension AppReport {
    fileprivate var issuesSentence: String {
        let issues = evidence.issuesByID.values
        let open = issues.count { $0.state == .open }
        guard !issues.isEmpty else { return "No issue is known." }
        return
            "\(Formatting.countText(issues.count)) \(issues.count == 1 ? "issue" : "issues"), \(Formatting.countText(open)) open."
    }

    /// Why something cannot be shown at all; nil when some source knows it.
    func why(no capability: Capability) -> String? {
        guard source(knowing: capability) == nil else { return nil }
        let failed = sources.first { $0.capturedAt == nil }?.lastAttempt?.failure
        if let failed { return "The source could not be fetched: \(failed.summary)." }
        guard !sources.isEmpty else { return "No source is configured." }
        let names = fetchedProviders
        return names.isEmpty ? "No source was fetched yet." : "\(names) cannot know \(words(capability))."
    }
}
