package import AppHealth

/// All that the pages of one app are made from, as sections: values that hold numbers and facts, no text and no
/// address, each computed once.
package struct AppAnalysis: Hashable, Sendable {
    /// What all pages share.
    package internal(set) var facts: AppFacts
    /// Its sources.
    package internal(set) var sources: SourcesSection
    /// How stable it is.
    package internal(set) var stability: StabilitySection
    /// How much it is used.
    package internal(set) var usage: UsageSection
    /// Its issues.
    package internal(set) var issues: IssuesSection
    /// The events of all its issues by day; nil for an app with rates, and when none are known.
    package let reportedEvents: ReportedEvents?
    /// Its releases.
    package internal(set) var releases: ReleasesSection
    /// What happened to it.
    package internal(set) var activity: ActivitySection
    /// Its days that have a page, and the last one.
    var days: [CivilDate: DaySection]
    /// The weeks that are over and have any figure, the newest first.
    package internal(set) var weeks: [WeekFacts] = []
    /// From when on the same archive may mean something else: a day or an hour is over, or a note is due.
    package let changesAt: Instant
    /// The names of issues that stand for the ids of their service, where these are hidden.
    var aliases: [String: String] = [:]

    /// Analyzes a history.
    ///
    /// - Parameters:
    ///   - targets: the levels of the app.
    ///   - control: what its owner says of the activity.
    package init(
        _ history: AppHistory, targets: Targets, asOf: Instant, control: AlertControl = AlertControl()
    ) {
        let index = HistoryIndex(history, asOf: asOf, targets: targets)
        let found = Analysis.events(in: index, ledger: history.ledger)
        let drops = found.filter { $0.kind == .stability }
        let builds = index.releases.newestFirst
        changesAt = Analysis.changesAt(index, history)
        sources = SourcesSection(index)
        facts = AppFacts(index, releases: builds, sources: sources)
        stability = StabilitySection(index, sources, drops: drops)
        usage = UsageSection(index, sources, lastDay: facts.lastDay)
        let reported = Activity(of: found, in: index, under: control).explained(by: stability.causes)
        let seen = FoundIssues(found, reported, in: index, under: control)
        activity = ActivitySection(
            reported, in: index, ledger: history.ledger, recordedAt: history.ledgerRecordedAt,
            changes: history.ledgerChanges)
        let firsts = FirstReleases(index)
        issues = IssuesSection(index, sources, activity, seen, firsts, found: found)
        reportedEvents = ReportedEvents(index, stability, found: found)
        releases = ReleasesSection(
            index, sources, activity, found: found, ranked: issues.all, firsts: firsts,
            lastDay: facts.lastDay)
        let finder = DayFinder(
            index, stability, issues, activity, seen, releases: releases.lack == nil ? builds : nil,
            drops: drops,
            findsDrops: (control.settings[history.app.id] ?? .standard).isOn(.stability))
        // A section is large: of years of days a list of them, next to the dictionary, would be megabytes.
        days = Dictionary(
            (facts.days + [facts.lastDay]).lazy.map { ($0, finder.section($0)) },
            uniquingKeysWith: { first, _ in first })
        weeks = weeks(hidingCounts: false)
    }

    /// A day; one without a page has no more than its sections know of it.
    package func day(_ date: CivilDate) -> DaySection {
        days[date] ?? DaySection(date, stability, issues, activity)
    }

    /// The issue that a source calls so, whatever name it has for the audience.
    package func issue(withID id: String) -> IssueFacts? { issues[aliases[id] ?? id] }

    /// The last day with a figure.
    package var lastDay: DaySection { day(facts.lastDay) }
}
