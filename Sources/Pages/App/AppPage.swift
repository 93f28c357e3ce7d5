package import Analysis
import AppHealth
import Charts
import Estimates
import Formatting
package import Templates

/// The overview of one app.
package struct AppPage: TemplateModel {
    package static let modelName = "app"
    package var frame: Frame
    package var name: String
    package var platform: String
    package var verdict: VerdictView
    package var eventCounts: EventCounts?
    package var causes: DropBreakdownView?
    package var budget: BudgetView?
    package var budgetAbsence: String
    package var tiles: [Figure]
    package var stability: ChartView?
    package var stabilityAbsence: String?
    package var quiet: String?
    package var events: [EventEntry]
    package var muted: MutedSection?
    package var issues: [IssueRow]
    package var issuesSpan: String
    package var usersSpan: String?
    package var issuesAbsence: String?
    package var coverage: String?
    package var covering: String?
    package var releases: [ReleaseRow]
    package var releasesAbsence: String?
    package var usage: ChartView?
    package var usageAbsence: String?
    package var notes: [NoteView]
    package var mutes: [MuteRow]
    package var sources: [SourceRow]
    package var issuesStem: String?
    package var parts: [LinkItem]

    package static let fields: [Field<AppPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .text("platform", "Its platform, such as `ios`; may be empty", \.platform),
        .model("verdict", "The verdict on its stability", \.verdict),
        .optional("causes", "Why the rate is down; absent when no Stability Alert is open", \.causes),
        .optional("budget", "The error budget of 28 days; absent without data", \.budget),
        .text(
            "budgetAbsence", "Why there is no budget, such as `Error budget: no crash data for these days.`",
            \.budgetAbsence),
        .list("tiles", "The headline figures with their last 28 days and their change", \.tiles),
        .optional(
            "stability",
            "The crash-free rate over 90 days, or the crashes by day; absent when no source knows either",
            \.stability),
        .optionalText(
            "stabilityAbsence", "Why there is no such chart; absent when there is one", \.stabilityAbsence),
        .optional(
            "eventCounts",
            "Events and new issues of 28 days; absent for an app with rates, and without events by day",
            \.eventCounts),
        .optionalText(
            "quiet", "How much was checked on the last day; absent when there is activity",
            \.quiet),
        .list(
            "events",
            "The newest events, without daily summaries; open alerts, and Hold or Roll back of a release in use, are among them",
            \.events),
        .optional("muted", "The muted events of the last 28 days; absent when there are none", \.muted),
        .list("issues", "The top issues", \.issues),
        .text("issuesSpan", "What the issues are counted over, such as `Thu, Nov 19, 2026`", \.issuesSpan),
        .optionalText(
            "usersSpan",
            "Over which time the users of the issues are counted, such as `lifetime` or `28 days`; absent when it is that day",
            \.usersSpan),
        .optionalText(
            "coverage", "The share of the affected users that the first issue accounts for", \.coverage),
        .optionalText(
            "issuesAbsence", "Why the issues are not known; absent when they are", \.issuesAbsence),
        .optionalText("covering", "The fewest issues that account for 80% of the crashes", \.covering),
        .list("releases", "The newest releases", \.releases),
        .text("releasesRate", "What `releases` say the rate of, such as `Crash-free sessions`") {
            $0.releases.rateHeading
        },
        .text("releasesCount", "What `releases` count, such as `Sessions`") { $0.releases.countHeading },
        .optionalText(
            "releasesAbsence", "Why the releases are not known; absent when they are", \.releasesAbsence),
        .optional(
            "usage",
            "Active users over 90 days, or sessions where no source knows them; absent without either",
            \.usage),
        .optionalText("usageAbsence", "Why there is no such chart; absent when there is one", \.usageAbsence),
        .list("notes", "The newest notes", \.notes),
        .list("mutes", "The mutes in force for the app", \.mutes),
        .flag("hasMutes", "True when there is at least one") { !$0.mutes.isEmpty },
        .list("sources", "The data sources, and what they do not provide", \.sources),
        .optionalUrl("issuesStem", "The address of the page of all issues, without ending", \.issuesStem),
        .list("parts", "The pages of this app", \.parts),
    ]
}

extension AppPage {
    /// How many releases it shows, the newest ones.
    static let releaseLimit = 3

    /// The overview of an app.
    package init(_ overview: Overview, site: SiteFacts) {
        let facts = overview.facts
        let path = SitePath.app(facts.app.id)
        let scope = AppScope(facts, at: path, of: site)
        let (last, stability, issues) = (overview.last, overview.stability, overview.issues)
        let verdict = VerdictView(
            now: last, overview.reportedEvents,
            staleSince: scope.staleSince(overview), in: scope)
        self.frame = Frame(
            path, title: facts.app.name, summary: verdict.why, freshness: facts.freshnessSentence,
            crumbs: facts.app.wayAbove, hasData: true,
            tables: ["releases", "budget"]
                + (overview.reportedEvents == nil ? [] : ["eventDays", "releaseEvents"]),
            showsInstant: true, site: site)
        self.name = facts.app.name
        self.platform = facts.app.platform
        self.verdict = verdict
        self.causes = last.breakdown.map { DropBreakdownView($0, in: scope) }
        self.budget = last.budget.map { BudgetView($0, counts: scope.audience.counts) }
        self.budgetAbsence = Self.budgetAbsence(stability)
        self.tiles = scope.overviewTilesWithTrends(
            stability, overview.usage, overview.reportedEvents, issues, last)
        let charts = AppCharts(overview, in: scope)
        (self.stability, self.stabilityAbsence) = (charts.stability, charts.stabilityAbsence)
        (self.usage, self.usageAbsence) = (charts.usage, charts.usageAbsence)
        self.eventCounts = overview.reportedEvents.map { EventCounts($0, issues, stability, in: scope) }
        self.quiet = overview.quiet?.sentence
        self.muted = MutedSection(overview.recentlyMuted, in: scope)
        let top = AppTopIssues(overview, in: scope)
        (self.issues, self.issuesSpan, self.usersSpan) = (top.rows, top.span, top.usersSpan)
        (self.coverage, self.covering) = (top.coverage, top.covering)
        self.issuesAbsence = issues.lack?.words(for: .issues)
        self.releases = ReleaseRow.rows(
            overview.releases.inUse(atMost: Self.releaseLimit), in: scope)
        self.releasesAbsence = overview.releases.lack?.words(for: .releases)
        let notes = NoteView.views(overview.activity.notes, in: scope) { issues[$0]?.issue }
        self.notes = notes
        let isExplained = causes != nil
        self.events = overview.newestEvents(atMost: 6).map {
            EventEntry($0, showsCauses: isExplained, in: scope).withoutNotes(notes)
        }
        self.mutes = MuteRow.rows(overview.activity.activity, in: scope)
        self.sources = SourceRow.rows(overview.sources, in: scope)
        self.issuesStem = scope.links.stem(to: .part(.issues, of: facts.app.id))
        self.parts = partLinks(of: facts.app, from: path, scope.links)
    }

    private static func budgetAbsence(_ stability: StabilitySection) -> String {
        stability.isCounted || stability.isUnknowable
            ? "Error budget not available: no source provides crashed sessions or affected users."
            : "Error budget: no crash data for these days."
    }
}

/// The two charts of an overview, or why one is not there.
private struct AppCharts {
    let stability: ChartView?
    let stabilityAbsence: String?
    let usage: ChartView?
    let usageAbsence: String?

    init(_ overview: Overview, in scope: AppScope) {
        let (rates, usage) = (overview.stability, overview.usage)
        stability =
            scope.crashesChart(rates, overview.issues, overview.activity)
            ?? (rates.source == nil
                ? nil : scope.stabilityChart(rates, overview.releases, overview.activity))
        stabilityAbsence = stability == nil ? ratesAbsence(rates, usage) : nil
        let users = scope.usageChart(usage, rates)
        let sessions = scope.sessionsChart(usage, rates)
        self.usage = usage.countsActiveUsers ? users ?? sessions : sessions ?? users
        usageAbsence = self.usage == nil ? usage.nothing.words(for: .usage) : nil
    }
}

/// The top issues of an overview, and how much they account for.
private struct AppTopIssues {
    let rows: [IssueRow]
    let span: String
    let usersSpan: String?
    let coverage: String?
    let covering: String?

    init(_ overview: Overview, in scope: AppScope) {
        let (last, issues) = (overview.last, overview.issues)
        // An app that is shown by its events is shown by 28 days, and so are its issues.
        let isByEvents = overview.reportedEvents != nil && !overview.stability.isCounted
        let summary = isByEvents ? nil : last.summary
        (rows, span, usersSpan) = scope.topIssues(
            isByEvents ? [] : overview.topIssues, issues, last, limit: Overview.issueLimit)
        coverage = summary.flatMap { coverageText($0, in: scope) }
        let covering = summary?.entries.isEmpty == false ? last.covering : issues.covering
        self.covering = covering?.sentence(counts: scope.audience.counts, above: rows)
    }
}

extension EventEntry {
    /// The event without the text of its note when that is one of these, which the page shows by themselves.
    func withoutNotes(_ shown: [NoteView]) -> EventEntry {
        guard var new = view as? NewNoteView, let note = new.note, shown.contains(note) else { return self }
        new.note = nil
        var entry = self
        entry.view = new
        return entry
    }
}

extension AppScope {
    /// The crash-free rate of a day.
    func crashFree(_ basis: Basis, of day: DaySection, from source: SourceFacts?) -> Figure {
        Figure(
            basis == .users ? .crashFreeUsers : .crashFreeSessions, crashed: day.crashed(basis),
            of: basis.rawValue, "on \(day.date.compactText)",
            isEmpty: (basis == .users ? day.health?.users : day.health?.sessions) == 0, from: source,
            in: self)
    }

    /// The crash-free rate of a day, or of the newest one before it for which its source has counts.
    private func crashFree(
        _ basis: Basis, through last: DaySection, _ stability: StabilitySection
    ) -> Figure {
        let day = stability.newestDay(of: basis, through: last.date)
        let source = stability.source(of: basis)?.facts
        guard day != last.date else {
            return crashFree(basis, of: last, from: source).of(day, from: source)
        }
        return Figure(
            basis == .users ? .crashFreeUsers : .crashFreeSessions,
            crashed: stability.crashed(on: day, basis), of: basis.rawValue, "on \(day.compactText)",
            isEmpty: stability.rates[day].flatMap(basis.total) == 0, from: source, in: self
        ).of(day, from: source)
    }

    /// The headline figures of the last day; of what another source counts more slowly, of its last day.
    func overviewTiles(
        _ stability: StabilitySection, _ usage: UsageSection, _ events: ReportedEvents?,
        _ issues: IssuesSection, _ last: DaySection
    ) -> [Figure] {
        let counted: Figure? =
            stability.isCounted
            ? crashesFigure(last, stability).of(last.date, from: stability.crashSource)
            : events.flatMap { events in
                issues.source.map { eventsFigure(events, on: last.date, from: $0).of(last.date, from: $0) }
            }
        let rates =
            counted.map { [$0] } ?? [Basis.users, .sessions].map { crashFree($0, through: last, stability) }
        guard !hidesCounts else { return counted == nil ? rates : [] }
        let day = usersDay(stability, usage, last.date)
        let active =
            usage.isReported ? usage.count(on: day, \.activeUsers) : stability.count(.users, on: day)
        let source = usage.isReported ? usage.source : stability.users?.facts
        return rates + [
            Figure(
                .activeUsers, count: active, detail: "on \(day.compactText)", from: source, in: self
            ).of(day, from: source),
            sessionsFigure(on: last.date, stability, usage),
        ]
    }

    /// The day that active users are shown of.
    func usersDay(_ stability: StabilitySection, _ usage: UsageSection, _ last: CivilDate) -> CivilDate {
        usage.isReported
            ? usage.newestDay(of: \.activeUsers, through: last)
            : stability.newestDay(of: .users, through: last)
    }

    /// The day that sessions are shown of.
    func sessionsDay(_ stability: StabilitySection, _ usage: UsageSection, _ last: CivilDate) -> CivilDate {
        usage.reportsSessions(stability)
            ? usage.newestDay(of: \.sessions, through: last)
            : stability.newestDay(of: .sessions, through: last)
    }

    private func sessionsFigure(
        on last: CivilDate, _ stability: StabilitySection, _ usage: UsageSection
    ) -> Figure {
        let day = sessionsDay(stability, usage, last)
        guard !usage.reportsSessions(stability) else {
            return Figure(
                .sessions, count: usage.count(on: day, \.sessions), detail: "on \(day.compactText)",
                from: usage.sessionsSource, in: self
            ).of(day, from: usage.sessionsSource)
        }
        return Figure(
            .sessions, count: stability.count(.sessions, on: day), detail: "on \(day.compactText)",
            from: stability.sessions?.facts, in: self
        ).of(day, from: stability.sessions?.facts)
    }

    /// The top issues of the last day, or of the window when the day has none, and what they are counted over.
    func topIssues(
        _ top: [DayIssue], _ issues: IssuesSection, _ last: DaySection, limit: Int
    ) -> (rows: [IssueRow], span: String, usersSpan: String?) {
        let ofDay = IssueRow.top(top, of: last.summary, limit: limit, in: self)
        guard ofDay.isEmpty else { return (ofDay, last.date.compactText, nil) }
        return (
            IssueRow.window(issues, 0..<limit, in: self), issueSpanText(issues), facts.issueTotals.columnText
        )
    }

    /// What the issue lists are counted over.
    func issueSpanText(_ issues: IssuesSection) -> String {
        guard issues.countsDays else { return facts.issueTotals.listText }
        let (all, known) = (AppFacts.listSpan, issues.windowDays)
        let length = (known.any < all ? "\(known.any) of " : "") + "\(all) days"
        let part =
            known.whole == known.any ? "" : issues.isOfShare ? ofShareText : ", not all issues reported"
        return "\(length) to \(issues.window.upperBound.compactText)\(part)"
    }
}
