import Analysis
import AppHealth
import Charts
import Formatting
import Statistics

extension AppPage {
    /// How many releases it shows, the newest ones.
    static let releaseLimit = 4

    /// The overview of an app.
    package init(_ report: AppReport, site: SiteFacts) {
        let path = SitePath.app(report.app.id)
        let links = site.links(from: path)
        let verdict = report.verdict
        let summary = report.summary(of: report.lastDay)
        self.frame = Frame(
            path, title: report.app.name, summary: verdict.why, freshness: report.freshness,
            crumbs: [("Apps", .portfolio)], hasData: true, tables: ["releases", "budget"], site: site)
        self.name = report.app.name
        self.platform = report.app.platform
        self.verdict = verdict
        self.causes = report.dropCauses(on: report.lastDay, links)
        self.budget = report.budget.map { BudgetView($0, counts: report.audience.counts) }
        self.tiles = report.tiles(on: report.lastDay)
        self.stability = report.stabilityChart()
        self.quiet = report.quietLine(on: report.lastDay)
        self.muted = report.fold(report.recentlyMuted, links)
        (self.issues, self.issuesSpan) = report.topIssues(limit: 6, links)
        self.coverage = summary.flatMap(report.coverage)
        self.covering =
            summary?.entries.isEmpty == false
            ? report.covering(on: report.lastDay) : report.coveringInWindow
        self.releases = report.releaseRows(links, limit: Self.releaseLimit)
        self.usage = report.usageChart()
        let notes = report.notes(links, limit: 4) { _ in true }
        self.notes = notes
        self.events = report.newestEntries(6, links, besideCauses: causes != nil).map {
            $0.withoutNotes(notes)
        }
        self.mutes = report.muteRows
        self.sources = report.sourceRows(links)
        self.issuesStem = links.stem(to: .part(.issues, of: report.app.id))
        self.parts = partLinks(of: report.app, from: path, links)
    }
}

extension EventEntry {
    /// The event without the text of its note when that is one of these, which the page shows by themselves.
    fileprivate func withoutNotes(_ shown: [NoteView]) -> EventEntry {
        guard var told = view as? NewNoteView, let note = told.note, shown.contains(note) else { return self }
        told.note = nil
        var entry = self
        entry.view = told
        return entry
    }
}

extension AppReport {
    /// The source of the stability figures.
    var stabilityOrigin: Explanation.Origin? { evidence.stability.map(Explanation.Origin.init) }

    /// The crash-free rate of a day.
    func crashFreeFigure(_ basis: Basis, on day: CivilDate) -> Figure {
        let health = evidence.health[day]
        return Figure(
            "Crash-free \(basis.rawValue)", crashed: crashed(on: day, basis), of: basis.rawValue,
            "on \(day.compactText)", isEmpty: (basis == .users ? health?.users : health?.sessions) == 0,
            from: stabilityOrigin, for: audience)
    }

    /// The headline figures of a day.
    func tiles(on day: CivilDate) -> [Figure] {
        let active =
            usageSource == nil ? count("users", .users, on: day, \.users) : usage(on: day, \.activeUsers)
        let when = "on \(day.compactText)"
        let activeOrigin = usageSource.map(Explanation.Origin.init) ?? stabilityOrigin
        let rates = [crashFreeFigure(.users, on: day), crashFreeFigure(.sessions, on: day)]
        guard !hidesCounts else { return rates }
        return rates + [
            Figure("Active users", count: active, detail: when, from: activeOrigin),
            Figure(
                "Sessions", count: count("sessions", .sessions, on: day, \.sessions), detail: when,
                from: stabilityOrigin),
        ]
    }

    /// The top issues of the last day, or of the window when the day has none, and what they are counted over.
    func topIssues(limit: Int, _ links: Links) -> (rows: [IssueRow], span: String) {
        let ofDay = summary(of: lastDay).map { issueRows(of: $0, links, limit: limit) } ?? []
        guard ofDay.isEmpty else { return (ofDay, "on \(lastDay.compactText)") }
        return (issueRows(links, limit: limit), issueSpanText)
    }

    /// What the issue lists are counted over.
    var issueSpanText: String {
        guard countsIssueDays else { return "as the source counts them, without days" }
        return "\(Self.issueSpan) days to \(windows.last.compactText)"
    }

    /// Active users by day; nil when no source knows them.
    func usageChart(span: Int = AppReport.chartSpan) -> ChartView? {
        guard let source = usageSource else { return nil }
        let byDate = Dictionary(source.usage.map { ($0.date, $0.activeUsers) }, uniquingKeysWith: { $1 })
        let domain = DateDomain(last: evidence.lastDay, count: span)
        let withWeekBefore = DateDomain(last: evidence.lastDay, count: span + 7)
        let points = countPoints(in: withWeekBefore, isProvisional: isUsageProvisional) {
            byDate[$0].flatMap { $0 }
        }
        return ChartView(
            figure: LineChart.againstTheWeekBefore(
                name: "active-users", title: countTitle("Active users, \(span) days"), domain: domain,
                points: shown(points).0))
    }
}
