package import AppHealth

extension HistoryIndex {
    /// How much the source of issues reported of their events on a day.
    package func issueCoverage(on day: CivilDate) -> Coverage {
        issues?.coverage(.issueDays, on: day) ?? .unknown
    }

    /// How much it reported of their events by release on a day.
    func releaseIssueCoverage(on day: CivilDate) -> Coverage {
        issues?.coverage(.issueReleases, on: day) ?? .unknown
    }

    /// Whether an issue without a row had nothing on every one of the days.
    func areWhole(_ days: some Sequence<CivilDate>) -> Bool {
        days.allSatisfy { issueCoverage(on: $0).isComplete }
    }

    /// Whether the issues of a release are known on every day of its life, so that their events may be held against
    /// all its sessions.
    func countsAllIssues(of release: Release, _ days: [HealthDay]) -> Bool {
        let dates = days.map(\.date)
        guard let first = dates.min() ?? release.releaseDay, first <= lastDay else { return false }
        let last = dates.max() ?? lastDay
        return (0...min(first.days(to: last), Self.longestSpan)).allSatisfy {
            releaseIssueCoverage(on: first.advanced(by: $0)).isComplete
        }
    }

    /// Whether the rates of some days, or of their first and last one, are of two services.
    func changesRates(in days: ClosedRange<CivilDate>) -> Bool {
        sourceChanges.days(of: [basis.capability]).separate(
            days.lowerBound, days.upperBound)
    }

    /// Whether an issue without a row had nothing on a day.
    func isWhole(of issue: String, on day: CivilDate) -> Bool {
        issueSpans.contains(day, of: issue) && issueCoverage(on: day).isComplete
    }

    /// The events of an issue by day, in the order of the days: nil where it has no row and its day is not whole.
    func events(of issue: String, on days: [CivilDate]) -> [Int?] {
        guard let first = days.min() else { return [] }
        // Of a long history only the newest days are looked through.
        let rows = Dictionary(
            (issueDays[issue] ?? []).reversed().prefix { $0.date >= first }.map { ($0.date, $0.events) },
            uniquingKeysWith: { newer, _ in newer })
        return days.map { day in rows[day] ?? (isWhole(of: issue, on: day) ? 0 : nil) }
    }

    /// The last day with a figure: of health where any source reports it, else of crashes, of issues or of use.
    ///
    /// Users, sessions and crashes often come one after the other, and a part of a fetch may fail: then the last day is
    /// that of the app's rate, as long as it is no more than `longestLag` behind the others.
    package var lastFigureDay: CivilDate {
        let rated = health.lazy.filter { [basis] in basis.isRated($0.value) }.map(\.key).max()
        if let rated, let newest = health.keys.max(),
            rated.days(to: newest) <= Self.longestLag
        {
            return rated
        }
        return health.keys.max() ?? [crashes.keys.max(), lastIssueDay, lastUsageDay].compactMap(\.self).max()
            ?? lastDay
    }

    /// Whether a day of the last four weeks has a rate, users or sessions with those that crashed, or for as long neither
    /// crashes nor events of issues are known either.
    ///
    /// Users or sessions without those that crashed are use: they take the place of no crashes. A row without anything is of
    /// a source of rates.
    var hasHealthLately: Bool {
        let rated = health.values.filter { day in
            Basis.allCases.contains { $0.isRated(day) } || !day.hasCounts
        }
        guard let last = rated.map(\.date).max() else { return false }
        return (crashes.keys.max() ?? lastIssueDay).map { last.days(to: $0) < Self.latelySpan } ?? true
    }

    /// How many days the rate, or use, may be behind other figures before a report goes on without it.
    static let longestLag = 7

    /// How many days say what an app has lately.
    static let latelySpan = 28

    /// The crashes of each day that is over and whole, or of a steady share where no whole ones are known; nil for every
    /// other day, and before the app was there: that nothing crashed then says nothing of what is usual.
    var crashCounts: [Int?] {
        let first = firstSign
        return days.map { day in
            guard let first, day >= first, isOver(day, for: judgedCrashSource) else { return nil }
            if countsSharedCrashes { return sharedCrashes[day] }
            return wholeCrashDays.contains(day) ? crashes[day] : nil
        }
    }

    /// Whether crashes are judged by those of a steady share of everybody.
    var countsSharedCrashes: Bool { !sharedCrashes.isEmpty }

    /// The source of the crashes that are judged by their number.
    var judgedCrashSource: SourceHistory? { countsSharedCrashes ? issues : crashSource }

    /// The first day of which it is known that somebody had the app; nil when there is none. A source may report days from
    /// before that.
    private var firstSign: CivilDate? {
        let released = sources.flatMap(\.releases).compactMap(\.releaseDay)
        return [firstUse, released.min()].compactMap(\.self).min()
    }

    /// The first day on which the app was used or crashed, whatever shows it; nil when none does.
    var firstUse: CivilDate? {
        let used = health.values.filter { [$0.users, $0.sessions].contains { ($0 ?? 0) > 0 } }.map(\.date)
        let crashed = crashes.filter { $0.value > 0 }.keys
        let met = [issueDays, issueReleaseDays].flatMap { rows in
            rows.values.compactMap { $0.first { ($0.events ?? 0) > 0 || ($0.users ?? 0) > 0 }?.date }
        }
        let active = sources.flatMap { source in
            source.usage.filter { ($0.activeUsers ?? 0) > 0 || ($0.newUsers ?? 0) > 0 }.map(\.date)
        }
        let seen = issuesByID.all.compactMap { $0.firstSeen.map(issueDay) }
        return [used.min(), crashed.min(), met.min(), active.min(), seen.min()].compactMap(\.self).min()
    }

    /// Whether crashes are judged by their number on each day: where no rate is known lately, as that says more.
    var daysByCrashes: [Bool] {
        var last: CivilDate?
        return days.map { day in
            if health[day]?.hasRate == true { last = day }
            return last.map { $0.days(to: day) >= Self.latelySpan } ?? true
        }
    }

    /// How many days between two others are known to be whole for issues, or have a row of the issue.
    func quietDays(of issue: String, between first: CivilDate, and second: CivilDate) -> Int {
        guard first.days(to: second) > 1 else { return 0 }
        let rows = Set((issueDays[issue] ?? []).map(\.date))
        return (1..<min(first.days(to: second), Self.longestSpan)).count { place in
            let day = first.advanced(by: place)
            return rows.contains(day) || isWhole(of: issue, on: day)
        }
    }

    /// On how many of the days of a release, from the one on which it came out to the last with a row, something is
    /// known; nil without any.
    func lifeDays(
        of release: Release, _ rows: [HealthDay], isKnown: (CivilDate) -> Bool
    ) -> KnownDays? {
        let dates = rows.map(\.date)
        guard let oldest = dates.min(), let last = dates.max() else { return nil }
        let first = min(release.releaseDay ?? oldest, oldest)
        let all = min(first.days(to: last) + 1, Self.longestSpan)
        return KnownDays(known: (0..<all).count { isKnown(last.advanced(by: -$0)) }, all: all)
    }

    /// What holds for the crashes of the issues on a day: affected users and crashed sessions of the same source, as far
    /// as it counted them. Another service counts other people, and what was worked out from a rate bounds nothing.
    func crashBounds(on day: CivilDate) -> (sessions: Int?, users: Int?) {
        let day = health[day]
        return (
            countsOfIssues(.sessions) ? day?.crashedSessions : nil,
            countsOfIssues(.users) ? day?.crashedUsers : nil
        )
    }

    /// The most sessions of a day, of a release or of all, that an issue can be in: of a crash those that crashed, as far
    /// as the source of the issues counted them; nil where it did not, where the issue is no crash, and where its users, or
    /// events of unknown users, are so many that most were in no session that is counted, such as crashes before one begins.
    func mostSessions(meeting day: IssueDay) -> Int? {
        guard issuesByID[day.issue]?.kind == .crash, countsOfIssues(.sessions) else { return nil }
        let (whole, rest) = (day.events ?? 0).quotientAndRemainder(dividingBy: Self.mostEventsOfSession)
        let (crashed, least) = (crashedSessions(of: day), day.users ?? whole + rest.signum())
        return least > crashed ?? 0 ? nil : crashed
    }

    /// The events of a crash in one session, at the most.
    private static let mostEventsOfSession = 5

    private func crashedSessions(of day: IssueDay) -> Int? {
        guard let label = day.version else { return health[day.date]?.crashedSessions }
        guard rates.coversReleases else { return nil }
        return releaseHealth[ReleaseDay(date: day.date, version: label)]?.crashedSessions
    }

    /// The same of several days; nil where it is not known of one.
    func mostSessions(meeting days: [IssueDay]) -> Int? {
        let known = days.compactMap { mostSessions(meeting: $0) }
        return known.count == days.count ? known.reduce(0, &+) : nil
    }

    /// In how many of all sessions of a day, of a release or of all, an issue is at most: one session may hold several of its
    /// events. Nil where its events are not known.
    func mostSessions(meeting day: IssueDay, of all: Int) -> Int? {
        day.events.map { min($0, all, mostSessions(meeting: day) ?? all) }
    }

    /// The same next to all sessions of the same day; nil where these are not known.
    func mostSessionsOfAll(meeting day: IssueDay) -> (met: Int, all: Int)? {
        healthOfSessions(meeting: day)?.sessions.flatMap { all in
            mostSessions(meeting: day, of: all).map { (met: $0, all: all) }
        }
    }

    /// The same as a share, which is one for lists, alerts and mutes.
    func mostShare(of day: IssueDay) -> Fraction? {
        mostSessionsOfAll(meeting: day).flatMap {
            Fraction($0.met, of: $0.all, deviation: healthOfSessions(meeting: day)?.sessionDeviation)
        }
    }

    /// The day of the release that a day of an issue is about, or of all releases.
    private func healthOfSessions(meeting day: IssueDay) -> HealthDay? {
        day.version.map { releaseHealth[.init(date: day.date, version: $0)] } ?? health[day.date]
    }

    /// Whether the source of issues counted users or sessions of days itself.
    private func countsOfIssues(_ fact: CoveredFact) -> Bool {
        let source = (fact == .users ? rates.users : rates.sessions)?.source
        return source?.id == issues?.source.id && source?.estimates.contains(fact) == false
    }

    /// The crash events of a day as the source of issues counted them; nil where only another source did.
    func ownCrashes(on day: CivilDate) -> Int? {
        crashSource?.source.id == issues?.source.id ? crashes[day] : nil
    }

    /// Whether users of a day and of its issues are of one source that counted both.
    var countsUsersOfIssues: Bool {
        countsOfIssues(.users) && rates.users?.source.estimates.contains(.issueUsers) == false
    }

    /// How much of the users and sessions of a day was reported, as far as the day has them.
    func healthCoverage(of day: HealthDay) -> Coverage {
        let known = [
            day.users == nil ? nil : rates.users?.coverage(.users, on: day.date),
            day.sessions == nil ? nil : rates.sessions?.coverage(.sessions, on: day.date),
        ].compactMap(\.self)
        return known.first { $0.isPartial } ?? known.first { !$0.isKnown }
            ?? known.max { $0.deviation < $1.deviation } ?? .unknown
    }

    /// The largest relative standard error of a day's sessions or users; nil when all days are exact.
    var largestDeviation: Double? { health.values.compactMap(\.deviation).max() }

    /// Whether a release without a row had no session on a day.
    func tellsAllReleases(on day: CivilDate) -> Bool {
        rates.releases?.coverage(.releaseHealth, on: day).isComplete == true
    }

    /// Whether the source of issues counts them by day.
    var countsIssueDays: Bool { issues?.source.capabilities.contains(.issueDays) == true }

    /// Whether any day has a figure.
    package var hasFigures: Bool { !days.isEmpty }

    /// The last day of which any issue is known, or that there was none.
    var lastIssueDay: CivilDate? {
        let last = lastDay(of: issues)
        let covered = issues?.coverage.days(of: .issueDays).last { $0 <= last }
        return [covered, issueDays.values.compactMap(\.last?.date).max()].compactMap(\.self).max()
    }
}

extension [SourceHistory] {
    /// Those that count users or sessions and never which of them crashed: the rate is of another one, and they may have
    /// crashes.
    fileprivate var ofUseAlone: [SourceHistory] {
        let unused = unused
        return filter { source in
            let known = source.source.capabilities
            return !known.isDisjoint(with: [.users, .sessions]) && !known.contains(.issues)
                && !unused.contains(source.source.id) && !Basis.allCases.contains(where: source.hasRate)
        }
    }

    /// Those that report neither issues nor users nor sessions: what they have of crashes is not shown with any of these.
    fileprivate var ofCrashesAlone: [SourceHistory] {
        let unused = unused
        return filter {
            $0.source.capabilities.isDisjoint(with: [.issues, .users, .sessions])
                && !unused.contains($0.source.id)
        }
    }

    /// Those that are there in place of another one of the app, perhaps of another platform.
    private var unused: Set<Slug> { Set(UnusedSource.all(in: map(\.source)).map(\.id)) }
}

/// Crash events of an app by day, all issues together, from one source.
struct CrashDays {
    let source: SourceHistory?
    let counts: [CivilDate: Int]
    /// The days whose total is stated to be whole, or is the sum of issues that all are known.
    let whole: Set<CivilDate>
    /// Those of a steady share of everybody, as the source of issues counts them, where no others are known.
    let shared: [CivilDate: Int]

    /// Totals of the source of issues, or the sum of its issues on days that are whole; the totals of a source of rates
    /// where the source of issues has none, else those of the first source of neither that has any.
    ///
    /// No capability says that a source counts crashes by day: it does where it has any.
    ///
    /// - Parameter known: All sources that responded, in the order of the configuration.
    init(
        issues: SourceHistory?, rates: RateSources, others known: [SourceHistory], byID: KnownIssues,
        rows: [String: [IssueDay]], asOf: Instant
    ) {
        let own = issues.map { Self.totals(of: $0, $0.lastWholeDay(at: asOf)) } ?? [:]
        let summed = issues.map { Self.sums(of: $0, byID, rows, $0.lastWholeDay(at: asOf)) } ?? [:]
        let counts = summed.merging(own) { _, total in total }
        let others =
            counts.isEmpty
            ? [rates.users, rates.sessions].compactMap(\.self) + known.ofUseAlone + known.ofCrashesAlone : []
        let other = others.lazy.map { (source: $0, counts: Self.totals(of: $0, $0.lastWholeDay(at: asOf))) }
            .first { !$0.counts.isEmpty }
        self.counts = other?.counts ?? counts
        self.shared =
            self.counts.isEmpty ? issues.map { Self.shared(by: $0, $0.lastWholeDay(at: asOf)) } ?? [:] : [:]
        let source = counts.isEmpty ? other?.source : issues
        self.source = source
        self.whole = Set(
            self.counts.keys.filter {
                source?.coverage(.crashes, on: $0).isComplete == true || (own[$0] == nil && summed[$0] != nil)
            })
    }

    private static func totals(of source: SourceHistory, _ lastDay: CivilDate) -> [CivilDate: Int] {
        totals(of: source, lastDay) { !$0.isPartial }
    }

    /// Of a part of which it is known how much it is, parts differ from day to day.
    private static func shared(by source: SourceHistory, _ lastDay: CivilDate) -> [CivilDate: Int] {
        guard source.source.countsSteadyShare else { return [:] }
        return totals(of: source, lastDay) { $0 == .partial(counted: nil, of: nil) }
    }

    private static func totals(
        of source: SourceHistory, _ lastDay: CivilDate, where counts: (Coverage) -> Bool
    ) -> [CivilDate: Int] {
        var totals: [CivilDate: Int] = [:]
        for day in source.health where day.version == nil && day.date <= lastDay {
            guard let crashes = day.crashes, counts(source.coverage(.crashes, on: day.date)) else { continue }
            totals[day.date] = crashes
        }
        return totals
    }

    private static func sums(
        of source: SourceHistory, _ issues: KnownIssues, _ rows: [String: [IssueDay]],
        _ lastDay: CivilDate
    ) -> [CivilDate: Int] {
        guard source.source.capabilities.contains(.issueDays) else { return [:] }
        let earliest = HistoryIndex.firstDay(until: lastDay)
        let whole = source.coverage.days(of: .issueDays).filter {
            // Where the crashes are stated to be a part, all issues may be there, and which are crashes is not known.
            $0 >= earliest && $0 <= lastDay && source.coverage(.issueDays, on: $0).isComplete
                && !source.coverage(.crashes, on: $0).isPartial
        }
        var sums = Dictionary(whole.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
        var uncounted: Set<CivilDate> = []
        for (id, days) in rows where issues[id]?.kind == .crash {
            for day in days where sums[day.date] != nil {
                guard let events = day.events else {
                    uncounted.insert(day.date)
                    continue
                }
                sums[day.date] = PlausibleCount.sum(sums[day.date, default: 0], events)
            }
        }
        // Where sessions or users crashed, none of whose crashes is among the issues, their number is not known.
        for day in source.health where day.version == nil && sums[day.date] == 0 {
            if max(day.crashedSessions ?? 0, day.crashedUsers ?? 0) > 0 { uncounted.insert(day.date) }
        }
        return sums.filter { !uncounted.contains($0.key) }
    }
}
