import Analysis
package import AppHealth
import Formatting
import Statistics

extension IssuePage {
    /// One issue of an app.
    package init(_ issue: Issue, _ report: AppReport, site: SiteFacts) {
        let path = SitePath.issue(issue.id, of: report.app.id)
        let links = site.links(from: path)
        let title = report.title(of: issue)
        self.frame = Frame(
            path, title: title, summary: "An issue of \(report.app.name) in \(issue.label)",
            freshness: report.freshness,
            crumbs: [
                ("Apps", .portfolio), (report.app.name, .app(report.app.id)),
                ("Issues", .part(.issues, of: report.app.id)),
            ], hasData: true, site: site)
        self.app = report.app.name
        self.title = title
        self.place = report.place(of: issue)
        self.file = issue.place?.file
        self.kind = issue.kind.rawValue
        self.state = issue.state.rawValue
        self.signals = report.signals(of: issue)
        self.facts = report.facts(of: issue) + report.trendFacts(of: issue)
        self.chart = report.issueChart(issue)
        self.releases = report.releaseRows(of: issue, links)
        self.events = report.entries(report.index.byIssue[issue.id] ?? [], links)
        self.muted = report.fold(report.index.mutedByIssue[issue.id] ?? [], links)
        self.notes = report.notes(links) { $0 == .issue(issue.id) }
        self.url = issue.url
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension AppReport {
    fileprivate func facts(of issue: Issue) -> [FactRow] {
        let unknown = unknownText
        return [
            FactRow(name: "First seen", value: issue.firstSeen?.date.compactText ?? unknown),
            FactRow(name: "Last seen", value: issue.lastSeen?.date.compactText ?? unknown),
            FactRow(name: "First version", value: issue.firstVersion.map { "\($0)" } ?? unknown),
            FactRow(name: "Last version", value: issue.lastVersion.map { "\($0)" } ?? unknown),
            FactRow(name: "Fixed in", value: issue.fixedIn.map { "\($0)" } ?? unknown),
        ]
            + (hidesCounts ? [] : issueNumbers(issue)).filter { $0.interval == nil }.map {
                FactRow(name: $0.label, value: $0.value)
            }
    }

    /// The events of an issue by day; nil when the source does not count them by day.
    func issueChart(_ issue: Issue, span: Int = AppReport.chartSpan) -> ChartView? {
        guard let days = evidence.issueDays[issue.id] else { return nil }
        let byDate = Dictionary(days.map { ($0.date, $0.events) }, uniquingKeysWith: { $1 })
        return countChart(
            name: "issue-events", title: "Events, \(span) days", span: span, expectation: expectedRanges,
            isProvisional: areIssuesProvisional
        ) { day in
            // A source that tells days leaves out those without events, so a covered day without a row is a zero.
            byDate[day] ?? (evidence.health[day] == nil ? nil : 0)
        }
    }

    fileprivate func releaseRows(of issue: Issue, _ links: Links) -> [IssueReleaseRow] {
        let days = (evidence.issueReleaseDays[issue.id] ?? []).filter { $0.date >= windows.first }
        let byRelease = Dictionary(grouping: days) { $0.version ?? "" }
        return byRelease.sorted { Version($0.key) > Version($1.key) }.map { label, days in
            let events = days.reduce(0) { $0 &+ ($1.events ?? 0) }
            let sessions = days.compactMap {
                evidence.releaseHealth[.init(date: $0.date, version: label)]?.sessions
            }
            let whole = sessions.count == days.count ? sessions.reduce(0, &+) : 0
            let isKnown = releases.contains { $0.version.label == label }
            return IssueReleaseRow(
                version: label, stem: isKnown ? links.stem(to: .release(label, of: app.id)) : nil,
                events: countText(events), share: Fraction(events, of: whole).map(shareText) ?? "–")
        }
    }
}
