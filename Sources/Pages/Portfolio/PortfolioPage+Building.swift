package import Analysis
package import AppHealth
import Charts
import Formatting
import Statistics

/// What the entry page keeps of an app: enough for its row, so that no whole history is held for it.
package struct AppSummaryRow: Sendable {
    let need: (verdict: Int, alerts: Int)
    let verdict: VerdictView
    let row: AppRow
    let events: [EventEntry]
    let eventTimes: [Instant]
    let sources: [SourceRow]
    let crashed: Fraction?
    let basis: Basis
    /// The last day with a figure.
    package let lastDay: CivilDate
    /// The newest events for the feed of the site.
    package let feed: [FeedItem]
    /// Its crash-free rate by day, for the chart of all apps.
    let panel: SmallMultiples.Panel
    /// Its last day, when nothing happened on it.
    let quiet: QuietDay?
    /// The last day that the chart shows.
    let chartDay: CivilDate

    /// What became of the mutes that may concern the app.
    package let muteUses: [MuteUse]
    /// Muted alerts of the last seven days.
    package let mutedAlerts: Int

    /// Alerts of the last seven days that stand and are not muted.
    package var openAlerts: Int { row.openAlerts }
    /// The verdict and the reason, for the summary of a run.
    package var line: String { "\(row.name): \(verdict.words). \(verdict.why)" }
    /// Its name.
    package var name: String { row.name }
    /// The verdict in one word: `meets`, `misses`, `critical`, `insufficient`, `unknown`.
    package var verdictName: String { verdict.name }
    /// What the sources of the app are, in one word each.
    package var sourceStates: [(source: String, state: String)] { sources.map { ($0.name, $0.state) } }
    /// Whether any source of the app is stale or failed.
    package var hasTrouble: Bool { sources.contains { $0.failure != nil } }
    /// The app's name in addresses.
    package let id: Slug
    /// The error budget with its counts.
    let budget: StabilityBudget?
    /// Its sources as rows of data.
    let sourceCells: [[DataCell]]

    /// Digests an app.
    package init(_ report: AppReport) {
        let links = Links.relative(from: .portfolio)
        let newest = report.events.filter { $0.kind != .topIssues }.prefix(12)
        self.id = report.app.id
        self.verdict = report.verdict
        self.row = AppRow(report, links)
        self.basis = report.evidence.basis
        self.lastDay = report.lastDay
        self.crashed = report.crashed(on: report.lastDay, report.evidence.basis).value
        self.need = (Verdict(on: crashed, against: report.targets).need, row.openAlerts)
        self.feed = report.feed
        self.muteUses = report.muteUses
        self.mutedAlerts = report.mutedAlerts
        self.quiet = report.quietDay(report.lastDay)
        self.budget = report.budget
        self.sourceCells = report.sourceCells
        self.panel = report.panel
        self.chartDay = report.evidence.lastDay
        self.events = report.entries(newest, links)
        self.eventTimes = newest.map(\.occasion.at)
        self.sources = report.sourceRows(.relative(from: .health))
    }
}

extension AppRow {
    fileprivate init(_ report: AppReport, _ links: Links) {
        let day = report.lastDay
        let basis = report.evidence.basis
        let newest = report.releases.first
        self.name = report.app.name
        self.platform = report.app.platform
        self.stem = links.stem(to: .app(report.app.id))
        self.verdict = report.verdict
        self.crashFree = report.crashFreeFigure(basis, on: day)
        self.change = report.weekChange(on: day)
        self.sparkline = report.stabilitySparkline()
        self.release = newest.map { "\($0.version)" }
        self.adoption = newest.flatMap { report.adoption($0.version.label).value.map(shareText) }
        self.stage = newest.flatMap { report.stages[$0.version.label]?.words }
        self.budget = report.budget.map { BudgetView($0, counts: report.audience.counts).brief }
        self.openAlerts = report.openAlerts
    }
}

extension AppReport {
    /// The change of the crash-free rate against the same weekday a week before.
    func weekChange(on day: CivilDate) -> String? {
        weekChangeNumber(on: day).map { "\($0.value) vs \(day.advanced(by: -7).compactText)" }
    }

    /// Alerts of the last seven days; of falls those that had a night in them and are still open.
    fileprivate var openAlerts: Int {
        let since = evidence.lastDay.advanced(by: -6)
        return events.count { event in
            if case .stability(let alert) = event {
                guard case .open = alert.episode.state else { return false }
                return alert.episode.last >= since
            }
            return event.kind.isAlert && event.occasion.day >= since
        }
    }
}

extension PortfolioPage {
    /// The entry page of all apps.
    package init(_ digests: [AppSummaryRow], introduction: ContentBody?, site: SiteFacts) {
        self.introduction = introduction
        let ordered = digests.sorted { first, second in
            first.need != second.need
                ? first.need > second.need : (first.row.name, first.id) < (second.row.name, second.id)
        }
        self.sentence = stateSentence(ordered)
        self.frame = Frame(
            .portfolio, title: site.title, summary: sentence,
            freshness: freshnessSentence(digests.flatMap(\.sources)),
            hasData: true, tables: ["events"], site: site)
        self.quiet = quietSentence(digests.map(\.quiet), asOf: site.asOf)
        self.apps = ordered.map(\.row)
        self.events = newestEvents(of: digests, limit: 12)
        self.rates = ratesChart(ordered)
    }
}

private func newestEvents(of digests: [AppSummaryRow], limit: Int) -> [EventEntry] {
    let all = digests.flatMap { digest in Array(zip(digest.eventTimes, digest.events)) }
    let ordered = all.sorted { first, second in
        first.0 != second.0 ? first.0 > second.0 : first.1.anchor < second.1.anchor
    }
    return ordered.prefix(limit).map { $0.1 }
}

/// `2 of 3 apps need attention: Sketchbook is below target; …`.
private func stateSentence(_ digests: [AppSummaryRow]) -> String {
    guard !digests.isEmpty else { return "No app is configured." }
    let trouble = digests.filter { $0.verdict.name == "misses" || $0.verdict.name == "critical" }
    let unsure = digests.filter { $0.verdict.name == "insufficient" || $0.verdict.name == "unknown" }
    let apps = digests.count == 1 ? "1 app" : "\(digests.count) apps"
    var parts: [String] = []
    if !trouble.isEmpty {
        parts.append(
            trouble.map { "\($0.row.name) is \($0.verdict.name == "critical" ? "critical" : "below target")" }
                .joined(separator: ", "))
    }
    let meeting = digests.count - trouble.count - unsure.count
    if meeting > 0 { parts.append("\(meeting) of \(apps) \(meeting == 1 ? "meets" : "meet") the target") }
    if !unsure.isEmpty { parts.append(unsure.map(\.row.name).joined(separator: ", ") + " cannot be judged") }
    return parts.joined(separator: "; ") + "."
}

/// `2 of 3 sources are current, 1 is stale.`
func freshnessSentence(_ sources: [SourceRow]) -> String {
    guard !sources.isEmpty else { return "No source is configured." }
    let current = sources.count { $0.state == "loaded" }
    let others = ["stale", "failed", "never fetched"].compactMap { state -> String? in
        let count = sources.count { $0.state == state }
        return count == 0 ? nil : "\(count) \(state)"
    }
    let whole = "\(current) of \(sources.count) \(sources.count == 1 ? "source is" : "sources are") current"
    return others.isEmpty ? whole + "." : whole + ", " + others.joined(separator: ", ") + "."
}
