package import AppHealth

/// What the overview of an app shows, and its row among others: the last day, the sections that lead to it, and what
/// is new.
package struct Overview: Hashable, Codable, Sendable {
    /// What all pages share.
    package private(set) var facts: AppFacts
    /// The last day with a figure.
    package private(set) var last: DaySection
    /// The first issues of that day.
    package private(set) var topIssues: [DayIssue]
    /// How stable the app is.
    package private(set) var stability: StabilitySection
    /// How much it is used.
    package private(set) var usage: UsageSection
    /// Its issues.
    package private(set) var issues: IssuesSection
    /// The events of all its issues by day; nil for an app with rates, and when none are known.
    package private(set) var reportedEvents: ReportedEvents?
    /// Its releases.
    package private(set) var releases: ReleasesSection
    /// What happened to it.
    package private(set) var activity: ActivitySection
    /// Its sources.
    package let sources: SourcesSection
    /// The newest events without the daily summaries; what lasts is among them, however old it is.
    package let newest: [EventRecord]

    /// What of the last day's totals does not agree.
    package private(set) var conflicts: [TotalConflict]
    /// The weeks that are over, the newest first.
    package let weeks: [WeekFacts]

    /// How many of the top issues it has, and of the newest notes.
    package static let (issueLimit, noteLimit) = (5, 3)
    /// How many of the newest events it has.
    package static let eventLimit = 12

    /// The same at a later instant, before which nothing else changes.
    package func at(_ instant: Instant) -> Overview {
        var later = self
        later.facts.asOf = instant
        return later
    }

    /// What of it its row among others and its badge show: the last 28 days, the newest release, and what is counted.
    package var ofRow: Overview {
        var kept = self
        (kept.topIssues, kept.conflicts) = ([], [])
        kept.last = last.ofRow
        kept.stability = stability.ofRow(since: facts.lastCompleteDay.advanced(by: 1 - AppFacts.listSpan))
        kept.usage = usage.ofRow
        kept.issues = issues.ofRow
        kept.releases = releases.ofRow
        kept.activity = activity.ofRow
        return kept
    }

    /// What was checked on the last day; nil when there is something to report, of the day or of a release in use, while
    /// an alert is open, and when a source is not current: of the days since then nothing is known.
    package var quiet: QuietDay? {
        let isCurrent = sources.all.allSatisfy { $0.state == .loaded }
        return releases.held.isEmpty && activity.openAlerts == 0 && isCurrent ? last.quiet : nil
    }

    /// The events that a list of so many has room for, newest first: what lasts is among them, however old it is.
    package func newestEvents(atMost limit: Int) -> [EventRecord] {
        ShortList(activity, releases).places(in: newest.lazy.map(\.event), atMost: limit).map { newest[$0] }
    }

    /// Whether an alert on its stability is open.
    package var hasOpenStabilityAlert: Bool {
        newest.contains { $0.event.lastsUntilRecovery && activity.openSpan.isOpen($0.event) }
    }

    /// The muted events of the days that lists of issues span.
    package var recentlyMuted: [MutedEvent] {
        activity.activity.muted.filter { $0.event.occasion.day >= issues.window.lowerBound }
    }
}

extension AppAnalysis {
    /// What the overview of the app shows.
    package var overview: Overview {
        Overview(
            facts: facts, last: lastDay,
            topIssues: issues.topNow(of: lastDay, lastDay: facts.lastDay),
            stability: stability, usage: usage, issues: issues.ofOverview(noted: activity.notes),
            reportedEvents: reportedEvents,
            releases: releases.ofOverview, activity: activity.ofOverview(facts), sources: sources,
            newest: newest(Overview.eventLimit), conflicts: totalConflicts(on: facts.lastDay), weeks: weeks)
    }

    /// The newest events without the daily summaries; what lasts is among them, however old it is.
    package func newest(_ limit: Int) -> [EventRecord] {
        let events = activity.events
        return ShortList(activity, releases).places(in: events, atMost: limit).map { record(of: events[$0]) }
    }

    /// The events that changed last, as far as a feed has room for them.
    package func lastChanged(_ limit: Int) -> [EventRecord] {
        let chosen = FeedPlace.chosen(from: activity.events, limit: limit) { event in
            FeedPlace(event.kind, changed: activity.changeTime(of: event), id: event.occasion.id)
        }
        return chosen.map { record(of: $0) }
    }
}

// MARK: What an overview keeps of a section

extension ActivitySection {
    /// Events that charts of the last days mark, the newest notes and what is counted; what each day and each issue had
    /// is on their pages.
    fileprivate func ofOverview(_ facts: AppFacts) -> ActivitySection {
        let first = facts.lastCompleteDay.advanced(by: -AppFacts.chartSpan)
        var kept = self
        kept.activity.shown = events.filter { event in
            event.kind != .topIssues && event.kind != .newIssue && event.occasion.day >= first
        }
        kept.activity.muted = activity.muted.filter { $0.event.occasion.day >= first }
        (kept.activity.hidden, kept.activity.hiddenAlerts, kept.silenced) = ([], [], [])
        kept.freedVerdicts = []
        (kept.byDay, kept.mutedByDay, kept.hiddenByDay, kept.days) = ([:], [:], [:], [])
        (kept.byIssue, kept.mutedByIssue, kept.signals) = ([:], [:], [:])
        (kept.changed, kept.known, kept.ownIDs) = ([:], [:], [:])
        kept.notes = Array(notes.prefix(Overview.noteLimit))
        return kept
    }
}

extension ActivitySection {
    fileprivate var ofRow: ActivitySection {
        var kept = self
        (kept.activity.shown, kept.activity.muted, kept.activity.hidden, kept.notes) = ([], [], [], [])
        (kept.activity.hiddenAlerts, kept.silenced, kept.ownIDs, kept.freedVerdicts) = ([], [], [:], [])
        return kept
    }
}

extension DaySection {
    /// Its figures; its issues and what happened on it are on its page.
    fileprivate var ofRow: DaySection {
        var kept = self
        (kept.reported, kept.breakdown, kept.summary, kept.covering) = (nil, nil, nil, nil)
        (kept.shares, kept.groups, kept.events) = ([], [], [])
        (kept.muted, kept.cut, kept.notes) = ([], [], [])
        return kept
    }
}

extension StabilitySection {
    fileprivate func ofRow(since first: CivilDate) -> StabilitySection {
        var kept = self
        (kept.health, kept.coverage, kept.verdicts, kept.causes) = ([:], [:], [:], [:])
        kept.rates = rates.filter { $0.key >= first }
        kept.crashes = crashes.filter { $0.key >= first }
        kept.finality = finality.filter { $0.key >= first }
        kept.wholeReleaseDays = DaySet([])
        (kept.lateCounts, kept.silences) = ([:], [:])
        (kept.expectedCrashes, kept.openCrashDays) = ([:], openCrashDays.since(first))
        kept.devices = nil
        return kept
    }
}

extension UsageSection {
    fileprivate var ofRow: UsageSection {
        var kept = self
        (kept.days, kept.byDate, kept.provisional, kept.coverage, kept.namedShares) = ([], [:], [], [:], [:])
        kept.stickinessByDay = [:]
        return kept
    }
}

extension ReleasesSection {
    fileprivate var ofRow: ReleasesSection {
        var kept = self
        (kept.sessions, kept.totals) = ([:], [:])
        kept.all = [latest].compactMap(\.self)
        return kept
    }

    /// The releases as rows; their days and issues are on their pages.
    fileprivate var ofOverview: ReleasesSection {
        var kept = self
        kept.pairs = []
        for place in kept.all.indices {
            (kept.all[place].days, kept.all[place].notes, kept.all[place].regressedIssues) = ([], [], [])
            (kept.all[place].topIssues, kept.all[place].newIssues, kept.all[place].issues) = ([], [], [])
        }
        return kept
    }
}
