package import AppHealth

/// A rate by day as charts show it, with what is to be said of its course.
package struct RateCourse: Hashable, Codable, Sendable {
    /// The days, in order.
    package let days: [RateDay]
    /// Which way the newest days go; nil when too few are known.
    package let trend: CourseTrend?

    /// - Parameter changes: the days from which on the rate is another source's; the trend is that of the last one.
    init(_ days: [RateDay], changes: [CivilDate] = []) {
        self.days = days
        let newest = days.filter { [last = days.last?.date] in !changes.separate($0.date, last ?? $0.date) }
        self.trend = CourseTrend(crashed: newest.map(\.crashed))
    }
}

/// The rate of a day, or why there is none.
package struct RateDay: Hashable, Codable, Sendable {
    /// The day.
    package let date: CivilDate
    /// The crashed share; nil when it is not known.
    package let crashed: Fraction?
    /// Why there is no rate, when there is none.
    package let absence: DayAbsence
    /// Whether it may still change.
    package let isProvisional: Bool
}

/// Counts by day as charts show them, with what was to be expected and what is to be said of their course.
package struct CountCourse: Hashable, Codable, Sendable {
    /// The days, in order.
    package let days: [CountDay]
    /// Which way the newest days go; nil when too few are known.
    package let trend: CourseTrend?

    /// Counts whose first days are there for a comparison and not for the trend.
    ///
    /// - Parameter changes: the days from which on the counts are another source's; the trend is that of the last one.
    init(_ days: [CountDay], leading: Int = 0, changes: [CivilDate] = []) {
        self.days = days
        let newest = days.dropFirst(leading).filter { [last = days.last?.date] in
            !changes.separate($0.date, last ?? $0.date)
        }
        self.trend = CourseTrend(newest.map { $0.count.map(Double.init) })
    }

    /// The events of an issue, of whose course nothing else is said than by its trend: where that has not enough days, or is
    /// not sure of what the days here show, nothing is. A trend is of the events of its own span: fewer days have theirs.
    init(_ days: [CountDay], expected: ExpectedDays, changes: [CivilDate], trend: IssueTrend?) {
        let own = CountCourse(days, expected: { expected[$0] }, changes: changes)
        self.days = own.days
        guard days.count >= CourseTrend.span, trend?.unit != .userDays else {
            self.trend = own.trend
            return
        }
        self.trend = trend?.course.map { $0.rises ? .rising : .falling } ?? (own.trend == .flat ? .flat : nil)
    }

    /// Counts of a part of what happened, which may be another part on each day: they have no trend.
    init(ofAPart days: [CountDay]) {
        self.days = days
        self.trend = nil
    }

    /// Counts with what was to be expected of each day.
    init(_ days: [CountDay], expected: (CivilDate) -> ExpectedCount?, changes: [CivilDate]) {
        var days = days
        for place in days.indices { days[place].expected = expected(days[place].date) }
        self.init(days, changes: changes)
    }
}

/// The count of a day, or why there is none.
package struct CountDay: Hashable, Codable, Sendable {
    /// The day.
    package let date: CivilDate
    /// The count; nil when it is not known.
    package let count: Int?
    /// Why there is no count, when there is none.
    package let absence: DayAbsence
    /// Whether it may still change.
    package let isProvisional: Bool
    /// What was to be expected of it; nil when that is not known.
    package internal(set) var expected: ExpectedCount?
}

/// A count of a day against that of the same weekday a week before.
package struct CountChange: Hashable, Codable, Sendable {
    /// The day before.
    package let before: CivilDate
    /// How much the count grew, in 0…1 of what it was; nil when it was nothing.
    package let growth: Double?

    /// - Parameter changes: the days from which on the counts are another source's: nothing is compared across them.
    init?(on day: CivilDate, _ changes: [CivilDate], _ count: (CivilDate) -> Int?) {
        before = day.advanced(by: -7)
        guard !changes.separate(before, day), let now = count(day), let then = count(before) else {
            return nil
        }
        growth = then > 0 ? Double(now) / Double(then) - 1 : nil
    }
}

extension StabilitySection {
    /// The rate of some days on a basis.
    package func rates(_ basis: Basis, on days: [CivilDate]) -> RateCourse {
        RateCourse(
            days.map { rate(of: rates[$0], basis, on: $0) }, changes: changes.days(of: [basis.capability]))
    }

    /// The rate of the sessions of a release on some days, of which it has these. Of one that has none at all it is not
    /// known that it had no sessions: the source that counts may call it otherwise.
    package func rates(of known: [HealthDay], _ basis: Basis = .sessions, on days: [CivilDate]) -> RateCourse
    {
        let byDate = Dictionary(known.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        return RateCourse(
            days.map { day in
                guard byDate[day] == nil, !byDate.isEmpty, wholeReleaseDays.contains(day) else {
                    return rate(of: byDate[day], basis, on: day)
                }
                return RateDay(date: day, crashed: nil, absence: .nothingCounted, isProvisional: false)
            }, changes: changes.days(of: [.releaseHealth]))
    }

    private func rate(of known: HealthDay?, _ basis: Basis, on day: CivilDate) -> RateDay {
        // What the other source has of the day is no figure of this one.
        guard let known, !hasTwoSources || basis.total(of: known) != nil else {
            return RateDay(date: day, crashed: nil, absence: absence(of: day, basis), isProvisional: false)
        }
        let crashed = basis.crashedShare(of: known)
        let counts = hasTwoSources ? [basis.total(of: known)] : [known.sessions, known.users]
        return RateDay(
            date: day, crashed: crashed, absence: counts.contains(0) ? .nothingCounted : .missing,
            isProvisional: crashed != nil && isProvisional(day))
    }

    /// The sessions of some days.
    package func sessions(on days: [CivilDate]) -> CountCourse {
        counts(on: days, .sessions, changes.days(of: [.sessions]), isProvisional: isProvisional) {
            health[$0]?.sessions
        }
    }

    /// The crashes of some days with what was to be expected, as their alerts have it.
    package func crashes(on days: [CivilDate], _ issues: IssuesSection) -> CountCourse {
        let changes = changes.days(of: [.issueDays, basis.capability])
        return CountCourse(
            countDays(
                days, absence: { absence(of: $0, basis) },
                isProvisional: { areCrashesProvisional($0, issues) }
            ) { crashes[$0] },
            expected: { expectedCrashes[$0] }, changes: changes)
    }

    func counts(
        on days: [CivilDate], _ basis: Basis, _ changes: [CivilDate], leading: Int = 0,
        isProvisional: (CivilDate) -> Bool, _ count: (CivilDate) -> Int?
    ) -> CountCourse {
        CountCourse(
            countDays(
                days, absence: { absence(of: $0, basis) }, isProvisional: isProvisional, count),
            leading: leading, changes: changes)
    }
}

private func countDays(
    _ days: [CivilDate], absence: (CivilDate) -> DayAbsence, isProvisional: (CivilDate) -> Bool,
    _ count: (CivilDate) -> Int?
) -> [CountDay] {
    days.map { day in
        let count = count(day)
        return CountDay(
            date: day, count: count, absence: absence(day), isProvisional: count != nil && isProvisional(day))
    }
}

extension UsageSection {
    /// The active users of some days.
    ///
    /// - Parameter leading: how many of the first days are there for a comparison alone.
    package func activeUsers(
        on days: [CivilDate], leading: Int, _ stability: StabilitySection
    ) -> CountCourse {
        guard isReported else {
            return stability.counts(
                on: days, .users, changes(stability), leading: leading, isProvisional: provisional.contains
            ) {
                byDate[$0]?.activeUsers
            }
        }
        return counts(on: days, \.activeUsers, of: source, changes(stability), leading: leading)
    }

    /// The active users of a day; those of the stability where no source reports active users.
    package func users(on day: CivilDate, _ stability: StabilitySection) -> Int? {
        !isReported ? stability.health[day]?.users : byDate[day]?.activeUsers
    }

    /// The sessions of some days.
    package func sessions(on days: [CivilDate], _ stability: StabilitySection) -> CountCourse {
        guard reportsSessions(stability) else { return stability.sessions(on: days) }
        let changes = sessionChanges(stability)
        let ofUse = counts(on: days, \.sessions, of: sessionsSource, changes)
        guard days.contains(where: { !reportsSessions(stability, on: $0) }) else { return ofUse }
        // The days before are those of a source of rates that ended.
        let ofRates = stability.sessions(on: days)
        return CountCourse(
            zip(ofRates.days, ofUse.days).map { before, since in
                reportsSessions(stability, on: since.date) ? since : before
            }, changes: changes)
    }

    /// The days from which on the newest sessions are from another source.
    private func sessionChanges(_ stability: StabilitySection) -> [CivilDate] {
        guard reportsSessions(stability) else { return stability.changes.days(of: [.sessions]) }
        return stability.changes.days(of: [.usage])
            + (stability.lastDayOfSessions.map { [$0.advanced(by: 1)] } ?? [])
    }

    /// A count of some days as a source of use reports it: why a day has none is a matter of that source alone.
    private func counts(
        on days: [CivilDate], _ part: KeyPath<UsageDay, Int?>, of source: SourceFacts?,
        _ changes: [CivilDate], leading: Int = 0
    ) -> CountCourse {
        let (first, last) = reach(of: part)
        return CountCourse(
            countDays(
                days,
                absence: { day in
                    guard let first, day >= first else { return .notCollected }
                    let isLate = last.map { day > $0 } ?? true
                    return isLate && source?.trouble != nil && source?.isEnded == false ? .failed : .missing
                }, isProvisional: provisional.contains
            ) { byDate[$0]?[keyPath: part] }, leading: leading, changes: changes)
    }

    /// The first day with use of the source of a count, and the last one with the count itself. Of a day between the count
    /// may be unknown, though it was fetched.
    private func reach(of part: KeyPath<UsageDay, Int?>) -> (first: CivilDate?, last: CivilDate?) {
        let counted = days.lazy.filter { $0[keyPath: part] != nil }
        let isOfAnother = part == \.sessions && sessionsSource?.source.id != source?.source.id
        return (isOfAnother ? counted.first?.date : firstDay, counted.last?.date)
    }

    /// The sessions of a day against those of the week before.
    package func sessionChange(on day: CivilDate, _ stability: StabilitySection) -> CountChange? {
        CountChange(on: day, sessionChanges(stability)) { sessions(on: $0, stability) }
    }

    /// The active users of a day against those of the week before.
    package func change(on day: CivilDate, _ stability: StabilitySection) -> CountChange? {
        CountChange(on: day, changes(stability)) { users(on: $0, stability) }
    }

    /// The days from which on active users are from another source.
    private func changes(_ stability: StabilitySection) -> [CivilDate] {
        stability.changes.days(of: [isReported ? .usage : .users])
    }
}

extension IssuesSection {
    /// The events of an issue on some days with what was to be expected; nil when the source has no days of it.
    package func events(
        of issue: IssueFacts, on days: [CivilDate], _ stability: StabilitySection
    ) -> CountCourse? {
        issue.events(on: days, in: surroundings(of: days, stability))
    }
}

extension IssueFacts {
    /// Its events on some days with what was to be expected; nil when its source has no days of it.
    package func events(on shown: [CivilDate], in surroundings: IssueSurroundings) -> CountCourse? {
        days.map { rows in
            let changes = surroundings.changes
            func known(on day: CivilDate) -> Int? { count(rows, on: day, whole: surroundings.whole) }
            return CountCourse(
                countDays(
                    shown, absence: surroundings.absence, isProvisional: surroundings.provisional.contains,
                    known),
                expected: ExpectedDays(of: shown, known: rows.first?.date, changes, known),
                changes: changes, trend: window.trend)
        }
    }
}
