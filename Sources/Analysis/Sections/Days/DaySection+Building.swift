import AppHealth

/// What of a day is found by a search through the history.
struct DayFindings {
    var zone: String?
    var capturedAt: Instant?
    var earlierCapturedAt: Instant?
    var isUnknown = false
    var reported: HealthDay?
    var breakdown: DropBreakdown?
    var budget: StabilityBudget?
    var covering: TopCrashIssues?
    var shares: [IssueShare?] = []
    var groups: [IssueGroup] = []
    var lasting: [LastingAlert] = []
    var quiet: QuietDay?
    var notes: [Note] = []
}

extension DaySection {
    /// A day of an app from its sections and what was found of it.
    init(
        _ date: CivilDate, _ stability: StabilitySection, _ issues: IssuesSection,
        _ activity: ActivitySection, _ found: DayFindings
    ) {
        let summary = issues.summaries[date]
        self.date = date
        self.zone = found.zone
        self.capturedAt = found.capturedAt
        self.earlierCapturedAt = found.earlierCapturedAt
        self.isUnknown = found.isUnknown
        self.health = stability.rates[date]
        self.coverage = stability.coverage[date] ?? .unknown
        self.reported = found.reported
        self.finality = stability.finality[date]
        self.lateCounts = stability.lateCounts[date]
        self.users = stability.crashed(on: date, .users)
        self.sessions = stability.crashed(on: date, .sessions)
        let isRated = stability.crashed(on: date, stability.basis).value != nil
        self.verdict = isRated ? stability.verdicts[date] ?? .unknown : .unknown
        self.silence = stability.silences[date]
        self.change = stability.change(on: date, stability.basis)
        self.breakdown = found.breakdown
        self.budget = found.budget
        self.summary = summary
        self.shares = found.shares
        self.hasDayBefore = summary?.hasDayBefore ?? false
        self.isCounted = stability.isCounted && stability.verdicts[date] == nil
        self.crashes = stability.crashes[date]
        self.hasUnlistedEvents = stability.openCrashDays.contains(date)
        self.covering = found.covering
        self.groups = found.groups
        self.events = activity.byDay[date] ?? []
        self.muted = activity.mutedByDay[date] ?? []
        self.lasting = found.lasting
        self.cut = activity.cut(on: date)
        self.notes = found.notes
        self.quiet = found.quiet
    }

    /// A day of an app without a page of its own.
    init(
        _ date: CivilDate, _ stability: StabilitySection, _ issues: IssuesSection, _ activity: ActivitySection
    ) {
        let found = DayFindings(notes: activity.notes.filter { $0.subject == .day(date) })
        self.init(date, stability, issues, activity, found)
    }
}

/// Makes the sections of days.
struct DayFinder {
    private let index: HistoryIndex
    private let stability: StabilitySection
    private let issues: IssuesSection
    private let activity: ActivitySection
    private let foundIssues: FoundIssues
    private let drops: [StabilityEpisode]
    private let shownDrops: ShownDrops
    private let counts: DailyCounts?
    private let asReported: [CivilDate: HealthDay]
    private let notes: [Note.Subject: [Note]]
    private let coverings: [CivilDate: TopCrashIssues]
    private let lasting: LastingAlerts
    /// The days with any active users, new users or sessions of use.
    private let daysOfUse: Set<CivilDate>
    /// The first day on which a drop of the rate can be found; nil without a rate, and where none is to be reported.
    private let daysUntilAlerts: [CivilDate: Int]
    /// How many there are; nil when no source provides any.
    private let releases: Int?
    /// When issues and releases that say so began, in order; the others are held to be older than all days.
    private let issueStarts: [Instant]
    private let releaseStarts: [Instant]

    init(
        _ index: HistoryIndex, _ stability: StabilitySection, _ issues: IssuesSection,
        _ activity: ActivitySection, _ foundIssues: FoundIssues, releases: [Release]?, drops: [Event],
        findsDrops: Bool
    ) {
        self.index = index
        self.stability = stability
        self.issues = issues
        self.activity = activity
        self.foundIssues = foundIssues
        self.drops = index.drops(of: drops)
        self.shownDrops = ShownDrops(activity.activity)
        self.counts = index.rates.days.first.map { first in
            DailyCounts(index, first.advanced(by: 1 - StabilityBudget.dispersionSpan)...index.lastDay)
        }
        // Crashes may be of a source that has no rates.
        self.asReported = index.rates.sources.joined(\.healthAsReported)
            .merging(index.crashes.source?.healthAsReported ?? [:]) { ofRates, _ in ofRates }
        self.notes = Dictionary(grouping: activity.notes, by: \.subject)
        self.coverings = TopCrashIssues.ofDays(index)
        self.lasting = LastingAlerts(activity.activity, in: index)
        self.daysOfUse = Set(index.sources.lazy.flatMap(\.usage).map(\.date))
        self.daysUntilAlerts = findsDrops ? StabilityRule.missingDays(in: index) : [:]
        self.releases = releases?.count
        self.issueStarts = issues.all.compactMap(\.issue.firstSeen).sorted()
        self.releaseStarts = (releases ?? []).compactMap(\.releasedAt).sorted()
    }

    /// The section of a day.
    func section(_ date: CivilDate) -> DaySection {
        var found = DayFindings()
        found.zone = index.leading?.zone(of: date)
        found.capturedAt = index.captures.capture(of: date)
        found.isUnknown =
            index.captures.capture(of: date) == nil && index.rates.health[date] == nil
            && index.crashes.counts[date] == nil
            && !index.issues.coverage(on: date).isKnown && !daysOfUse.contains(date)
        found.reported = asReported[date]
        let visibility = drops.last { $0.first <= date }.map(shownDrops.visibility)
        let drop = visibility == .hidden ? nil : index.openDrop(on: date, drops)
        found.breakdown = visibility == .muted ? nil : drop
        found.budget = counts.flatMap { StabilityBudget(index, $0, through: date) }
        found.earlierCapturedAt = earlierCapture(date, found.breakdown)
        found.covering = coverings[date]
        found.shares = issues.summaries[date]?.entries.map { share(of: $0.issue.id, on: date) } ?? []
        found.groups = groups(date)
        found.lasting = lasting.alerts(on: date)
        let isSpent = found.budget?.isOverspentBeyondChance == true
        found.quiet = isSpent ? nil : quiet(date, isDown: drop != nil)
        found.notes = notes[.day(date)] ?? []
        return DaySection(date, stability, issues, activity, found)
    }

    /// When the newest figure was captured of the days of the error budget, in which the week before is, and of a drop.
    private func earlierCapture(_ date: CivilDate, _ drop: DropBreakdown?) -> Instant? {
        let window = (1..<StabilityBudget.span).map { date.advanced(by: -$0) }
        let compared = drop.map { drop in
            drop.before
                + (0..<drop.after.lowerBound.days(to: date)).map { drop.after.lowerBound.advanced(by: $0) }
        }
        return (window + (compared ?? [])).compactMap(index.captures.capture).max()
    }

    /// The share of the sessions of the issue's busiest release on the day, else of all sessions.
    private func share(of id: String, on day: CivilDate) -> IssueShare? {
        let ofDay = (index.issues.releaseDays[id] ?? []).rows(on: day)
        let busiest = ofDay.max { ($0.events ?? 0, $0.version ?? "") < ($1.events ?? 0, $1.version ?? "") }
        if let busiest, let label = busiest.version, let share = index.mostShare(of: busiest) {
            return IssueShare(share: share, release: label)
        }
        // The method as a value would copy the whole index.
        return index.issues.days[id]?.rows(on: day).last.flatMap { index.mostShare(of: $0) }.map {
            IssueShare(share: $0, release: nil)
        }
    }

    private func groups(_ day: CivilDate) -> [IssueGroup] {
        var ids: [IssueGroup.Kind: [String]] = [:]
        ids[.muted] = issues.summaries[day]?.entries.map(\.issue.id).filter {
            index.issues.source?.issueStates[$0]?.state(on: day) == .muted
        }
        let alerts = (activity.byDay[day] ?? []).filter { $0.kind == .velocity }
        for event in alerts + (foundIssues.byDay[day] ?? []) {
            switch event {
            case .regressed(let regressed): ids[.regressed, default: []].append(regressed.issue.id)
            case .newIssue(let new): ids[.new, default: []].append(new.issue.id)
            case .velocity(let alert): ids[.velocity, default: []].append(alert.issue.id)
            default: continue
            }
        }
        return IssueGroup.Kind.allCases.compactMap { kind in
            // An issue may spread in several releases on one day.
            var seen: Set<String> = []
            let all = (ids[kind] ?? []).filter { seen.insert($0).inserted }
            let entries = all.prefix(IssueGroup.limit).map { id in
                let counted = index.issues.days[id]?.rows(on: day).last
                return IssueGroup.Entry(id: id, users: counted?.users, events: counted?.events)
            }
            return all.isEmpty ? nil : IssueGroup(kind: kind, issues: entries, count: all.count)
        }
    }

    /// What was checked on a day without activity; nil when something happened or went on, when something was muted or cut
    /// off, when the app did not keep its target, and when there are no figures.
    private func quiet(_ day: CivilDate, isDown: Bool) -> QuietDay? {
        guard let health = index.rates.health[day],
            let capturedAt = index.captures.capture(of: day)
                ?? index.rates.sources.all.compactMap(\.capturedAt).max(),
            (activity.byDay[day] ?? []).isEmpty, foundIssues.byDay[day] == nil,
            activity.mutedByDay[day] == nil, !lasting.disturb(day),
            activity.cut(on: day).isEmpty, !isDown,
            // Of a day of which only a part of the issues is known it is not known that it was quiet.
            index.issues.source == nil || index.issues.coverage(on: day).isComplete
                || !index.issues.countsDays
        else { return nil }
        // Nor of a day of which only a part of the sessions or users is.
        if case .partial? = stability.coverage[day] { return nil }
        switch stability.verdicts[day] {
        case .meets, .notEnoughData: break
        case .misses, .critical, .unknown, nil: return nil
        }
        let end = Instant(startOf: day.advanced(by: 1))
        return QuietDay(
            day: day, sessions: health.sessions, users: health.users,
            issues: issues.lack == nil ? issues.all.count - late(issueStarts, end) : nil,
            releases: releases.map { $0 - late(releaseStarts, end) },
            capturedAt: capturedAt, isProvisional: stability.isProvisional(day),
            daysUntilAlerts: daysUntilAlerts[day])
    }

    /// How many of the instants, in order, are not before another.
    private func late(_ instants: [Instant], _ end: Instant) -> Int {
        var (low, high) = (0, instants.count)
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < end { low = middle + 1 } else { high = middle }
        }
        return instants.count - low
    }
}
