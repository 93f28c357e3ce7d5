package import AppHealth
import Statistics

/// Two releases held against each other.
package struct PairFacts: Hashable, Codable, Sendable {
    /// The one that came out later.
    package let later: Release
    /// The one that came out earlier.
    package let earlier: Release
    /// When the newest of their figures was captured; nil when that is not known.
    package let capturedAt: Instant?
    /// Both by days of their lives; nil when that cannot be reported.
    package let lives: ReleasePair?
    /// Their rates over each span.
    package internal(set) var rates: [PairRate]
    /// The issues seen in the later release alone, most events first.
    package internal(set) var onlyLater: [PairIssue]
    /// The issues seen in both, the greatest rise for each session first.
    package internal(set) var both: [PairIssue]
    /// The issues seen in the earlier release alone, most events first.
    package internal(set) var onlyEarlier: [PairIssue]

    /// Whether the issues of both are known on every day of their lives: else one that was not seen may have been there.
    package let knowsIssues: Bool
}

/// What the rates of two releases are counted over.
package enum PairSpan: String, Codable, Sendable, CaseIterable {
    /// Sessions of the same days of their lives.
    case sameAge
    /// As many first sessions of each.
    case sameSessions
    /// Sessions of all their lives.
    case life
    /// User-days of the same days of their lives, where users alone are counted.
    case userDaysAtAge
    /// As many first user-days of each, where users alone are counted.
    case sameUserDays
    /// Users of one day of their lives, the same of each.
    case usersAtAge
    /// Users of one day of the calendar.
    case usersOnDay

    /// What is counted.
    package var basis: Basis {
        switch self {
        case .sameAge, .sameSessions, .life: .sessions
        case .userDaysAtAge, .sameUserDays, .usersAtAge, .usersOnDay: .users
        }
    }

    /// Those of releases whose lives are counted in sessions, or in user-days.
    package static func all(of basis: Basis) -> [PairSpan] {
        basis == .sessions
            ? [.sameAge, .sameSessions, .life, .usersAtAge, .usersOnDay]
            : [.userDaysAtAge, .sameUserDays, .usersAtAge, .usersOnDay]
    }

    /// Whether it is that of a verdict: all days up to the same age of each.
    package var isMatched: Bool { self == .sameAge || self == .userDaysAtAge }
}

/// The crashed shares of two releases over the same span, each with its state.
package struct PairRate: Hashable, Codable, Sendable {
    /// What it is counted over.
    package let span: PairSpan
    /// Which days or sessions these were; nil when there are none.
    package let window: Window?
    /// The share of the later release.
    package internal(set) var later: Measured<Fraction>
    /// The share of the earlier release.
    package internal(set) var earlier: Measured<Fraction>
    /// The source of the counts.
    package internal(set) var source: SourceFacts?
    /// By what both were multiplied.
    package let sampling: PairSampling

    /// Days or sessions of the lives of two releases.
    package enum Window: Hashable, Codable, Sendable {
        /// The days from day 0 to an age, of which so many were counted of both.
        case ages(to: Int, counted: Int)
        /// So many first sessions of each.
        case firstSessions(Int)
        /// So many first user-days of each.
        case firstUserDays(Int)
        /// The life of each.
        case lives
        /// The day of an age of each.
        case age(Int)
        /// A day of the calendar.
        case day(CivilDate)
    }
}

/// An issue with what was counted of it in two releases.
package struct PairIssue: Hashable, Codable, Sendable {
    /// What it is to the later release.
    package enum Role: String, Codable, Sendable, CaseIterable {
        case regressed, new, fixed
    }

    /// The id of the issue.
    package internal(set) var id: String
    /// What it is to the later release; one that came back was not fixed.
    package let roles: [Role]
    /// What was counted of it in the later release; nil when it was not seen there.
    package internal(set) var later: Count?
    /// What was counted of it in the earlier release.
    package internal(set) var earlier: Count?
    /// The events that the rate in the one release would have brought to the other, in which there were none; nil
    /// when it cannot be reported.
    package let expected: Double?

    /// An issue in one of two releases.
    package struct Count: Hashable, Codable, Sendable {
        /// Its events; nil when the source counts none.
        package let events: Int?
        /// The most users of one day: at least as many met it.
        package let mostUsers: Int?
        /// All its users, when it was seen in no other release.
        package let users: Int?
        /// Its events for each session of the release; nil when unknown.
        package internal(set) var share: Fraction?
    }
}

/// Finds the pairs of releases and what their counts show.
struct PairFinder {
    private let index: HistoryIndex
    private let sources: SourcesSection
    private let releases: [ReleaseFacts]
    private let byLabel: [String: ReleaseFacts]
    private let seen: SeenIssues
    private let lastDay: CivilDate

    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ releases: [ReleaseFacts], _ seen: SeenIssues,
        lastDay: CivilDate
    ) {
        self.index = index
        self.sources = sources
        self.releases = releases
        self.byLabel = Dictionary(releases.map { ($0.label, $0) }, uniquingKeysWith: { first, _ in first })
        self.seen = seen
        self.lastDay = lastDay
    }

    /// The pairs of releases that have a page: each release with the one that came out before it, with those that its verdict
    /// compares it with, and with those that it does not as they were worse than others.
    ///
    /// So there are few pages for a release. Only releases of which something was ever counted take part,
    /// and they are in the order in which they came out, so that a pair stays one as long as both releases are in the
    /// report: a later release or a later day takes no pair away.
    func pairs(_ back: RegressedIssues) -> [PairFacts] {
        let counted = releases.filter { facts in
            facts.isCounted || !seen.issues(in: facts.label).isEmpty
        }
        let ordered = Array(counted.reversed())
        let places = Dictionary(
            ordered.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
        let pairs = ordered.indices.flatMap { place -> [PlacePair] in
            let basis = ordered[place].evaluation.basis
            let peers = (basis?.comparison?.peers ?? []).map(\.label)
            let halted = (basis?.unmatched ?? []).filter { $0.reason == .worse }.map(\.label)
            let others = (peers + halted).compactMap { places[$0] } + [place - 1]
            return others.filter { $0 >= 0 && $0 != place }.map { PlacePair(place, $0) }
        }
        return Set(pairs).sorted().map { pair(ordered[$0.later], ordered[$0.earlier], back) }
    }

    private func pair(
        _ later: ReleaseFacts, _ earlier: ReleaseFacts, _ back: RegressedIssues
    ) -> PairFacts {
        let lives = later.evaluation.basis.flatMap { own in
            earlier.evaluation.basis.flatMap { ReleasePair(own.life, $0.life) }
        }
        let rates = PairRates(index, sources, later, earlier, lives, lastDay: lastDay)
        let lists = PairIssues(index, seen, later, earlier, back)
        return PairFacts(
            later: later.release, earlier: earlier.release,
            capturedAt: [later.capturedAt, earlier.capturedAt].compactMap(\.self).max(), lives: lives,
            rates: rates.all,
            onlyLater: lists.onlyLater, both: lists.both, onlyEarlier: lists.onlyEarlier,
            knowsIssues: [later, earlier].allSatisfy { index.countsAllIssues(of: $0.release, $0.days) })
    }
}

/// Two places in the order of releases; pairs of the newest come first, with the nearest before the others.
private struct PlacePair: Hashable, Comparable {
    let later: Int
    let earlier: Int

    init(_ one: Int, _ other: Int) {
        later = max(one, other)
        earlier = min(one, other)
    }

    static func < (left: PlacePair, right: PlacePair) -> Bool {
        (left.later, left.earlier) > (right.later, right.earlier)
    }
}

/// The rates of two releases next to each other.
private struct PairRates {
    private(set) var all: [PairRate] = []
    private let index: HistoryIndex
    private let sources: SourcesSection
    private let later: ReleaseFacts
    private let earlier: ReleaseFacts
    private let lives: ReleasePair?

    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ later: ReleaseFacts, _ earlier: ReleaseFacts,
        _ lives: ReleasePair?, lastDay: CivilDate
    ) {
        self.index = index
        self.sources = sources
        self.later = later
        self.earlier = earlier
        self.lives = lives
        all = PairSpan.all(of: index.releaseBasis).map { span in
            switch span {
            case .sameAge, .userDaysAtAge:
                matched(span, lives.map { .ages(to: $0.age, counted: $0.days) }, lives?.atAge)
            case .sameSessions:
                matched(span, lives.map { .firstSessions($0.atSessions.later.total) }, lives?.atSessions)
            case .sameUserDays:
                matched(span, lives.map { .firstUserDays($0.atSessions.later.total) }, lives?.atSessions)
            case .life:
                PairRate(
                    span: span, window: .lives, later: later.crashed, earlier: earlier.crashed,
                    source: later.source, sampling: samplingOfLives)
            case .usersAtAge: usersAtAge()
            case .usersOnDay: usersOnDay(lastDay)
            }
        }
    }

    private func matched(
        _ span: PairSpan, _ window: PairRate.Window?, _ counts: ReleasePair.Counts?
    ) -> PairRate {
        return rate(
            span, window, lives == nil ? whyUnmatched : .noSessions,
            later: counts?.later.share, earlier: counts?.earlier.share,
            sampling: PairSampling(later: counts?.later.sampling, earlier: counts?.earlier.sampling))
    }

    private var samplingOfLives: PairSampling {
        PairSampling(
            later: later.evaluation.basis?.total.sampling, earlier: earlier.evaluation.basis?.total.sampling)
    }

    /// Why their lives cannot be held against each other.
    private var whyUnmatched: Absence {
        for facts in [later, earlier] {
            guard let life = facts.evaluation.basis?.life else {
                return index.releaseBasis == .users
                    ? .noUsersByDay(release: facts.label) : .noSessionsByDay(release: facts.label)
            }
            switch life.start {
            case .known: continue
            case .beforeFigures: return .inUseBefore(release: facts.label)
            case .sameVersion(let label): return .sameVersion(release: facts.label, as: label)
            case .belowShare: return .neverInUse(release: facts.label)
            }
        }
        return .noCommonAge
    }

    /// Users of several days overlap, so one day is for each: the newest age that both were counted at.
    private func usersAtAge() -> PairRate {
        let found = lives.flatMap { lives in
            (0...lives.age).reversed().lazy.compactMap { age -> (Int, Fraction, Fraction)? in
                guard let own = users(of: later, on: lives.later.day(ofAge: age)),
                    let other = users(of: earlier, on: lives.earlier.day(ofAge: age))
                else { return nil }
                return (age, own, other)
            }.first
        }
        return rate(
            .usersAtAge, found.map { .age($0.0) }, lives == nil ? whyUnmatched : .noUsersAtAnAge,
            later: found?.1, earlier: found?.2,
            sampling: sampling(
                later: found.flatMap { lives?.later.day(ofAge: $0.0) },
                earlier: found.flatMap { lives?.earlier.day(ofAge: $0.0) }))
    }

    private func usersOnDay(_ lastDay: CivilDate) -> PairRate {
        let found = (0..<AppFacts.chartSpan).lazy.compactMap { back -> (CivilDate, Fraction, Fraction)? in
            let day = lastDay.advanced(by: -back)
            guard let own = users(of: later, on: day), let other = users(of: earlier, on: day) else {
                return nil
            }
            return (day, own, other)
        }.first
        return rate(
            .usersOnDay, found.map { .day($0.0) }, .noUsersOn(lastDays: AppFacts.chartSpan),
            later: found?.1, earlier: found?.2, sampling: sampling(later: found?.0, earlier: found?.0))
    }

    /// By what the counts of a day of each were multiplied.
    private func sampling(later: CivilDate?, earlier: CivilDate?) -> PairSampling {
        func factor(_ day: CivilDate?) -> Double? {
            day.map { index.releaseSampling[$0] }.flatMap { $0 > 1 ? $0 : nil }
        }
        return PairSampling(later: factor(later), earlier: factor(earlier))
    }

    private func users(of release: ReleaseFacts, on day: CivilDate) -> Fraction? {
        index.releaseHealth[.init(date: day, version: release.label)]?.crashedUserShare
    }

    private func rate(
        _ span: PairSpan, _ window: PairRate.Window?, _ why: Absence, later: Fraction?, earlier: Fraction?,
        sampling: PairSampling
    ) -> PairRate {
        func measured(_ share: Fraction?) -> Measured<Fraction> {
            sources.releaseHealth?.measured(.releaseHealth, missing: why, share) ?? .absent(.noSessionSource)
        }
        return PairRate(
            span: span, window: window, later: measured(later), earlier: measured(earlier),
            source: sources.releaseHealth, sampling: sampling)
    }
}

/// The issues that were seen in at least one of two releases.
private struct PairIssues {
    let onlyLater: [PairIssue]
    let both: [PairIssue]
    let onlyEarlier: [PairIssue]

    init(
        _ index: HistoryIndex, _ seen: SeenIssues, _ later: ReleaseFacts, _ earlier: ReleaseFacts,
        _ back: RegressedIssues
    ) {
        func count(_ row: SeenIssues.Count?, _ issue: Issue, in release: ReleaseFacts) -> PairIssue.Count? {
            row.map { row in
                let isAlone = (index.issueReleaseDays[issue.id] ?? []).allSatisfy {
                    $0.version == release.label
                }
                return PairIssue.Count(
                    events: row.events, mostUsers: row.mostUsers, users: isAlone ? issue.users : nil,
                    share: seen.share(of: row, in: release.label, life: release.sessions))
            }
        }
        func rated(_ release: ReleaseFacts) -> Int? {
            seen.sessions(of: release.label, life: release.sessions)
        }
        let (own, other) = (seen.issues(in: later.label), seen.issues(in: earlier.label))
        let regressed = Set(back.ids(in: later.label))
        let all = Set(own.keys).union(other.keys).compactMap { id -> PairIssue? in
            index.issuesByID[id].map { issue in
                let (new, old) = (count(own[id], issue, in: later), count(other[id], issue, in: earlier))
                return PairIssue(
                    id: id, roles: roles(of: issue, in: later.label, regressed), later: new, earlier: old,
                    expected: expected(new, old, rated(later), rated(earlier)))
            }
        }
        onlyLater = mostEventsFirst(all.filter { $0.earlier == nil })
        onlyEarlier = mostEventsFirst(all.filter { $0.later == nil })
        both = steepestFirst(all.filter { $0.later != nil && $0.earlier != nil })
    }
}

private func roles(of issue: Issue, in later: String, _ regressed: Set<String>) -> [PairIssue.Role] {
    if regressed.contains(issue.id) { return [.regressed] }
    return (issue.firstVersion?.label == later ? [.new] : [])
        + (issue.fixedIn?.label == later ? [.fixed] : [])
}

private func mostEventsFirst(_ issues: [PairIssue]) -> [PairIssue] {
    func events(_ issue: PairIssue) -> Int { (issue.later?.events ?? 0) &+ (issue.earlier?.events ?? 0) }
    return issues.sorted { first, second in
        events(first) != events(second) ? events(first) > events(second) : first.id < second.id
    }
}

private func steepestFirst(_ issues: [PairIssue]) -> [PairIssue] {
    let ranked = issues.map { (issue: $0, rise: rise($0)) }
    let sorted = ranked.sorted { first, second in
        first.rise != second.rise ? first.rise > second.rise : first.issue.id < second.issue.id
    }
    return sorted.map(\.issue)
}

/// By how many events for each session an issue rose; in events of the later release where sessions are not known.
private func rise(_ issue: PairIssue) -> Double {
    guard let later = issue.later?.share, let earlier = issue.earlier?.share else {
        return Double(issue.later?.events ?? 0)
    }
    return later.value - earlier.value
}

private func expected(
    _ later: PairIssue.Count?, _ earlier: PairIssue.Count?, _ laterSessions: Int?, _ earlierSessions: Int?
) -> Double? {
    guard later == nil || earlier == nil else { return nil }
    let isOnlyLater = earlier == nil
    guard let rate = (later ?? earlier)?.share, let others = isOnlyLater ? earlierSessions : laterSessions
    else { return nil }
    return rate.value * Double(others)
}

extension PairFacts {
    /// The labels of the two.
    package var names: RateDifference.Names {
        .init(later: later.version.label, earlier: earlier.version.label)
    }
}

extension PairRate {
    /// The difference of the crash-free rates; the worse state of the two is that of both.
    package func difference(_ names: RateDifference.Names) -> Measured<RateDifference> {
        guard let own = later.value else { return later.map(orAbsent: .noSessions) { _ in nil } }
        guard let other = earlier.value else { return earlier.map(orAbsent: .noSessions) { _ in nil } }
        let worse = if case .stale = earlier { earlier } else { later }
        return worse.map(orAbsent: .noSessions) { _ in
            RateDifference(later: own, earlier: other, names: names, sampling: sampling)
        }
    }
}
