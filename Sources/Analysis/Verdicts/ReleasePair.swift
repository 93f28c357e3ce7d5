package import AppHealth
package import Statistics

/// Two releases held against each other at equal age and at equal numbers of their own sessions.
///
/// As for the verdict on a release, first days are the worst, so day k of the one is held against day k of the
/// other, and the first sessions of the one against as many of the other.
package struct ReleasePair: Hashable, Codable, Sendable {
    /// What the days of both show of the later release.
    package enum Finding: Hashable, Codable, Sendable {
        /// It crashes more than the earlier one.
        case worse
        /// It crashes less.
        case better
        /// Neither is shown.
        case notShown
    }

    /// What keeps days that show that one crashes more from being taken so.
    package enum Doubt: String, Codable, Sendable {
        /// What both had on the same days of the calendar: what moved all releases since can explain it.
        case sameDays
        /// The one that crashes less has days of which many crashes are still coming in.
        case crashesComingIn
    }

    /// Counts of both over the same span of their lives.
    package struct Counts: Hashable, Codable, Sendable {
        /// Those of the later release.
        package let later: DayCount
        /// Those of the earlier release.
        package let earlier: DayCount
    }

    /// The life of the later release.
    package let later: ReleaseHistory
    /// The life of the earlier release.
    package let earlier: ReleaseHistory
    /// The newest age, in days after the first, that both have counts of.
    package let age: Int
    /// How many of the days up to that age have counts of both.
    package let days: Int
    /// Their counts on those days.
    package let atAge: Counts
    /// The counts of their first sessions, as many of the one as of the other.
    package let atSessions: Counts
    /// What that shows.
    package let finding: Finding
    /// What alone keeps it from showing more; nil where nothing does.
    package let doubt: Doubt?

    /// The pair; nil when the first day of one is not known, or when they have no age in common.
    ///
    /// - Parameters:
    ///   - late: the days of which many crashes are still coming in.
    ///   - onDay: the counts of the earlier release on a day, however old it was.
    package init?(
        _ later: ReleaseHistory, _ earlier: ReleaseHistory, late: Set<CivilDate> = [],
        earlierOn onDay: (CivilDate) -> DayCount? = { _ in nil }
    ) {
        guard later.start == .known, earlier.start == .known else { return nil }
        let shared = zip(later.days, earlier.days).enumerated().compactMap { age, days -> Shared? in
            guard let later = days.0, let earlier = days.1 else { return nil }
            return Shared(age: age, counts: Counts(later: later, earlier: earlier))
        }
        guard let newest = shared.last else { return nil }
        self.later = later
        self.earlier = earlier
        self.age = newest.age
        self.days = shared.count
        self.atAge = Counts(
            later: wholeCount(shared.map(\.counts.later)), earlier: wholeCount(shared.map(\.counts.earlier)))
        self.atSessions = firstSessions(of: later, and: earlier)
        let finding = Self.finding(shared.map(\.counts), atSessions)
        let settled = shared.filter { one in
            let life = finding == .better ? later : earlier
            return !late.contains(life.day(ofAge: one.age))
        }
        let doubt: Doubt?
        if finding == .notShown {
            doubt = nil
        } else if !isLeft(finding, on: onDay, later, earlier) {
            doubt = .sameDays
        } else {
            doubt = Self.finding(settled.map(\.counts), atSessions) == finding ? nil : .crashesComingIn
        }
        self.finding = doubt == nil ? finding : .notShown
        self.doubt = doubt
    }

    /// A claim is made by the e-process of `ReleaseRegressionTest` at equal age, which may be checked every day, and the
    /// interval at equal sessions must lie on the same side.
    private static func finding(_ days: [Counts], _ atSessions: Counts) -> Finding {
        let shares = SharePair(later: atSessions.later, earlier: atSessions.earlier) { $0.complement }
        guard let interval = shares?.interval else { return .notShown }
        if interval.upper < 0, isWorse(days.map { ($0.later, $0.earlier) }) { return .worse }
        if interval.lower > 0, isWorse(days.map { ($0.earlier, $0.later) }) { return .better }
        return .notShown
    }
}

/// The counts of an age that both releases have.
private struct Shared {
    let age: Int
    let counts: ReleasePair.Counts
}

/// Whether what both had on the same days leaves a claim as it is, as for the verdict on a release: they make it as well, or
/// are not enough to.
private func isLeft(
    _ finding: ReleasePair.Finding, on onDay: (CivilDate) -> DayCount?, _ later: ReleaseHistory,
    _ earlier: ReleaseHistory
) -> Bool {
    func pair(_ own: DayCount?, _ other: DayCount?) -> ReleaseDayCounts? {
        let (new, old) = finding == .worse ? (own, other) : (other, own)
        return new.flatMap { new in old.flatMap { ReleaseDayCounts(new: new, old: $0) } }
    }
    let lives = later.days.indices.map { age in
        pair(later.days[age], earlier.days.indices.contains(age) ? earlier.days[age] : nil)
    }
    let sameDays = later.days.indices.map { age in
        pair(later.days[age], onDay(later.day(ofAge: age)) ?? wholeCount([DayCount]()))
    }
    let test = ReleaseRegressionTest()
    let last = lives.lastIndex { $0 != nil } ?? 0
    let first = if case .worse(let day) = test.finding(in: lives) { day } else { last }
    return test.firstDay(from: first, on: sameDays, leavingClaimOf: lives) != nil
}

/// Whether the first of each day is shown to crash more than the second.
private func isWorse(_ days: [(DayCount, DayCount)]) -> Bool {
    let looks = days.map { ReleaseDayCounts(new: $0, old: $1) }
    return ReleaseRegressionTest().finding(in: looks) != .notShown
}

private func firstSessions(of later: ReleaseHistory, and earlier: ReleaseHistory) -> ReleasePair.Counts {
    let lives = [later, earlier]
    let count = lives.map { $0.numbered().total }.min() ?? 0
    let first = lives.map { life in
        life.counts(fromSession: 0, to: count, known: life.day(ofAge: life.days.count))
    }
    return ReleasePair.Counts(later: first[0], earlier: first[1])
}
