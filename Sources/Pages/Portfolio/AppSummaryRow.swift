package import Analysis
package import AppHealth
import Charts
import Diagnostics
import Estimates
import Formatting

/// What the entry page keeps of an app: enough for its row, so that no whole history is held for it.
package struct AppSummaryRow: Sendable {
    let need: (verdict: Int, alerts: Int, others: Int)
    let verdict: VerdictView
    /// Whether the rate behind it is old: its source failed, or nothing came in time.
    let isStale: Bool
    var row: AppRow
    let events: [EventEntry]
    let eventTimes: [Instant]
    let sources: [SourceRow]
    let crashed: Fraction?
    let basis: Basis
    /// The last day with a figure.
    package let lastDay: CivilDate
    /// The newest events for the feed of the site.
    package internal(set) var feed: [FeedItem]
    /// Its crash-free rate by day, for the chart of all apps.
    let panel: SmallMultiples.Panel
    /// Its last day, when it has no activity.
    let quiet: QuietDay?
    /// The last day that the chart shows.
    let chartDay: CivilDate

    /// Its weeks that are over, the newest first.
    package let weeks: WeeksOfApp
    /// What became of the mutes that may concern the app.
    package let muteUses: [MuteUse]
    /// Muted alerts of the last seven days.
    package let mutedAlerts: Int?

    /// Alerts of the last seven days that stand and are not muted.
    package var openAlerts: Int { row.openAlerts }
    /// The verdict and the reason, for the summary of a run.
    package var line: String { "\(row.name): \(verdict.words). \(verdict.why)" }
    /// Its name.
    package var name: String { row.name }
    /// The status in one word: `meets`, `misses`, `critical`, `insufficient`, `unknown`.
    package var verdictName: String { verdict.name }
    /// The state of each source of the app, in one word.
    package var sourceStates: [(source: String, state: SourceState)] { sources.map { ($0.name, $0.state) } }
    /// What each source has: the last day, and why it is not current, where it is not.
    package var sourceData: [(dataThrough: String?, problem: String?)] {
        sources.map { ($0.dataThrough, $0.failure?.diagnostic.summary) }
    }
    /// Whether any source of the app is stale or failed.
    package var hasTrouble: Bool { sources.contains { $0.failure != nil } }
    /// The app's name in addresses.
    package internal(set) var id: Slug
    /// The group that the app is in; nil when it is in none.
    package internal(set) var group: String?
    /// The error budget with its counts.
    let budget: StabilityBudget?
    /// What is left of it, such as `37% remaining`.
    let budgetText: String?
    /// Its releases in use that should not reach more people.
    let held: [HeldRelease]
    /// Whether an alert on its stability is open.
    let hasOpenStabilityAlert: Bool
    /// When the newest of its figures was captured; nil when there is none.
    let capturedAt: Instant?
    /// Its sources as rows of data.
    let sourceCells: [[DataCell]]

    /// When the newest figure of all apps was captured; nil when there is none.
    package static func newestCapture(_ apps: [AppSummaryRow]) -> Instant? {
        apps.compactMap(\.capturedAt).max()
    }

    /// Digests what is kept of an app.
    package init(_ overview: Overview, feed: [FeedItem]) {
        let (facts, last, activity) = (overview.facts, overview.last, overview.activity)
        let scope = AppScope(facts, .relative(from: .portfolio))
        self.id = facts.app.id
        self.group = facts.app.group
        self.capturedAt = facts.capturedAt
        let staleSince = scope.staleSince(overview)
        self.verdict = VerdictView(now: last, overview.reportedEvents, staleSince: staleSince, in: scope)
        self.isStale = staleSince != nil
        self.row = AppRow(overview, in: scope)
        self.basis = facts.basis
        self.lastDay = facts.lastDay
        self.crashed = last.crashed(facts.basis).value
        self.held = overview.releases.held
        self.hasOpenStabilityAlert = overview.hasOpenStabilityAlert
        let isSpent = last.budget?.isOverspentBeyondChance == true
        self.need = (last.status(on: facts.basis).need, activity.openAlerts, held.count + (isSpent ? 1 : 0))
        self.feed = feed
        self.muteUses = activity.muteUses
        self.mutedAlerts = activity.mutedAlerts
        self.quiet = overview.quiet
        self.budget = last.budget
        self.budgetText = last.budget?.remaining.text(counts: scope.audience.counts)
        self.sourceCells = Pages.sourceCells(overview.sources, facts)
        self.weeks = WeeksOfApp(facts, overview.weeks)
        self.panel = scope.panel(overview.stability, last)
        self.chartDay = facts.lastCompleteDay
        self.events = overview.newest.map { EventEntry($0, in: scope) }
        self.eventTimes = overview.newest.map(\.event.occasion.at)
        self.sources = SourceRow.rows(overview.sources, in: AppScope(facts, .relative(from: .sources)))
    }
}

extension AppRow {
    fileprivate init(_ overview: Overview, in scope: AppScope) {
        let (last, stability) = (overview.last, overview.stability)
        let (app, newest) = (scope.app, overview.releases.latest)
        self.name = app.name
        self.platform = app.platform
        self.stem = scope.links.stem(to: .app(app.id))
        self.verdict = VerdictView(
            now: last, overview.reportedEvents, staleSince: scope.staleSince(overview), in: scope)
        self.crashFree = scope.crashFree(overview.facts.basis, of: last, from: stability.source)
            .of(last.date, from: stability.source)
        self.change = last.change?.text
        self.sparkline = scope.stabilitySparkline(stability, overview.reportedEvents, last)
        self.crashes = scope.crashesText(last, stability)
        let counted = scope.crashesFigure(last, stability).of(last.date, from: stability.crashSource)
        self.crashesNote = crashes == nil ? nil : counted.stateNote
        self.counted = stability.isCounted ? "Crashes" : overview.reportedEvents.map { _ in "Events" }
        if !stability.isCounted, let events = overview.reportedEvents, let source = overview.issues.source {
            self.crashes = scope.eventsText(events, on: last.date)
            self.crashesNote =
                crashes == nil
                ? nil
                : scope.eventsFigure(events, on: last.date, from: source).of(last.date, from: source)
                    .stateNote
        }
        self.release = newest.map { "\($0.release.version)" }
        self.adoption = newest.flatMap { $0.shareInUse.map(shareText) }
        self.adoptionUnit = newest?.isCountedInUsers == true ? "users" : "sessions"
        self.stage = newest?.stage?.words
        self.budget = last.budget?.remaining.text(counts: scope.audience.counts)
        self.openAlerts = overview.activity.openAlerts
    }
}

extension AppScope {
    /// The crash-free rate of 28 days with the shape of the verdict at its end.
    fileprivate func panel(_ stability: StabilitySection, _ last: DaySection) -> SmallMultiples.Panel {
        let domain = DateDomain(last: facts.lastCompleteDay, count: AppFacts.listSpan)
        return SmallMultiples.Panel(
            label: "\(app.name), \(facts.basis.rawValue)", points: stabilityPoints(stability, in: domain),
            target: facts.targets.target, endMark: endMark(last.status(on: facts.basis)))
    }
}
