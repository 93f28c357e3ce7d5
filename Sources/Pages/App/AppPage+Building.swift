import Alerts
import AppHealth
import Charts
import Statistics

extension AppPage {
    /// The overview of an app.
    package init(_ report: AppReport, site: SiteFacts) {
        let path = SitePath.app(report.app.id)
        let links = site.links(from: path)
        let verdict = report.verdict
        let summary = report.summary(of: report.lastDay)
        self.frame = Frame(
            path, title: report.app.name, summary: verdict.why, freshness: report.freshness,
            crumbs: [("Apps", .portfolio)], hasData: true, site: site)
        self.name = report.app.name
        self.platform = report.app.platform
        self.verdict = verdict
        self.causes = report.dropCauses(on: report.lastDay, links)
        self.budget = report.budget.map { BudgetView($0, counts: report.audience.counts) }
        self.tiles = report.tiles(on: report.lastDay)
        self.stability = report.stabilityChart()
        self.events = report.newestEntries(8, links)
        self.muted = report.fold(report.recentlyMuted, links)
        let ofDay = summary.map { report.issueRows(of: $0, links, limit: 8) } ?? []
        self.issues = ofDay.isEmpty ? report.issueRows(links, limit: 8) : ofDay
        self.issuesSpan = ofDay.isEmpty ? report.issueSpanText : "on \(report.lastDay.compactText)"
        self.coverage = summary.flatMap(report.coverage)
        self.covering = ofDay.isEmpty ? report.coveringInWindow : report.covering(on: report.lastDay)
        self.releases = report.releaseRows(links, limit: 4)
        self.usage = report.usageChart()
        self.notes = report.notes(links, limit: 4) { _ in true }
        self.mutes = report.muteRows
        self.sources = report.sourceRows(links)
        self.issuesStem = links.stem(to: .part(.issues, of: report.app.id))
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension AppReport {
    /// The headline figures of a day.
    func tiles(on day: CivilDate) -> [Figure] {
        let active =
            usageSource == nil ? count("users", .users, on: day, \.users) : usage(on: day, \.activeUsers)
        let rates = [
            Figure(
                "Crash-free users", crashed: crashed(on: day, .users), of: "users on \(day.compactText)",
                for: audience),
            Figure(
                "Crash-free sessions", crashed: crashed(on: day, .sessions),
                of: "sessions on \(day.compactText)", for: audience),
        ]
        guard !hidesCounts else { return rates }
        return rates + [
            Figure("Active users", count: active, detail: "on \(day.compactText)"),
            Figure(
                "Sessions", count: count("sessions", .sessions, on: day, \.sessions),
                detail: "on \(day.compactText)"),
        ]
    }

    /// What the issue lists are counted over.
    var issueSpanText: String {
        guard countsIssueDays else { return "as the source counts them, without days" }
        return "\(Self.issueSpan) days to \(windows.last.compactText)"
    }

    /// Active users by day; nil when no source knows them.
    func usageChart() -> ChartView? {
        guard let source = usageSource else { return nil }
        let byDate = Dictionary(source.usage.map { ($0.date, $0.activeUsers) }, uniquingKeysWith: { $1 })
        let domain = DateDomain(last: evidence.lastDay, count: Self.chartSpan)
        let withWeekBefore = DateDomain(last: evidence.lastDay, count: Self.chartSpan + 7)
        let points = countPoints(in: withWeekBefore, isProvisional: isUsageProvisional) {
            byDate[$0].flatMap { $0 }
        }
        return ChartView(
            figure: LineChart.againstTheWeekBefore(
                name: "active-users", title: countTitle("Active users, \(Self.chartSpan) days"),
                domain: domain, points: shown(points).0))
    }
}
