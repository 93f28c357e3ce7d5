import AppHealth
import Statistics

/// Finds the pairs of releases and what their counts show.
struct PairFinder {
    private let index: HistoryIndex
    private let sources: SourcesSection
    private let releases: [ReleaseFacts]
    private let byLabel: [String: ReleaseFacts]
    private let seen: SeenIssues
    private let firsts: FirstReleases
    private let lastDay: CivilDate
    private let late: Set<CivilDate>
    /// The days from which on another source counted releases.
    private let changes: [CivilDate]

    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ releases: [ReleaseFacts], _ seen: SeenIssues,
        _ firsts: FirstReleases, lastDay: CivilDate
    ) {
        self.index = index
        self.sources = sources
        self.releases = releases
        self.byLabel = Dictionary(releases.map { ($0.label, $0) }, uniquingKeysWith: { first, _ in first })
        self.seen = seen
        self.firsts = firsts
        self.lastDay = lastDay
        late = index.releases.counts.daysWithFewCrashes
        changes = index.sourceChanges.days(of: [.releaseHealth])
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
        let areOfTwo = areOfTwoSources(later, earlier)
        let lives = areOfTwo ? nil : lives(later, earlier)
        let rates = PairRates(
            index, sources, later, earlier, lives, areOfTwoSources: areOfTwo, lastDay: lastDay)
        let lists = PairIssues(index, seen, later, earlier, firsts, back)
        return PairFacts(
            later: later.release, earlier: earlier.release,
            capturedAt: [later.capturedAt, earlier.capturedAt].compactMap(\.self).max(), lives: lives,
            rates: rates.all,
            onlyLater: lists.onlyLater, both: lists.both, onlyEarlier: lists.onlyEarlier,
            knowsIssues: [later, earlier].allSatisfy {
                index.issues.countsAll(of: $0.release, $0.days, through: index.lastDay)
            })
    }
}

extension PairFinder {
    /// Both by days of their lives; nil when that cannot be reported.
    private func lives(_ later: ReleaseFacts, _ earlier: ReleaseFacts) -> ReleasePair? {
        guard let own = later.evaluation.basis?.life, let other = earlier.evaluation.basis?.life else {
            return nil
        }
        return ReleasePair(own, other, late: late) { index.releases.count(of: earlier.label, on: $0) }
    }

    /// Whether another source counted the earlier one than the later one: what two count is not compared.
    private func areOfTwoSources(_ later: ReleaseFacts, _ earlier: ReleaseFacts) -> Bool {
        guard let own = later.evaluation.basis?.life, let other = earlier.evaluation.basis?.life else {
            return false
        }
        return changes.separate(other.firstCountedDay, own.firstCountedDay)
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
    private let areOfTwoSources: Bool

    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ later: ReleaseFacts, _ earlier: ReleaseFacts,
        _ lives: ReleasePair?, areOfTwoSources: Bool, lastDay: CivilDate
    ) {
        self.index = index
        self.sources = sources
        self.later = later
        self.earlier = earlier
        self.lives = lives
        self.areOfTwoSources = areOfTwoSources
        all = PairSpan.all(of: index.releases.counts.basis).map { span in
            switch span {
            case .sameAge, .userDaysAtAge:
                matched(span, lives.map { .ages(to: $0.age, counted: $0.days) }, lives?.atAge)
            case .sameSessions:
                matched(span, lives.map { .firstSessions($0.atSessions.later.total) }, lives?.atSessions)
            case .sameUserDays:
                matched(span, lives.map { .firstUserDays($0.atSessions.later.total) }, lives?.atSessions)
            case .life:
                PairRate(
                    span: span, window: .lives, later: later.crashed,
                    earlier: areOfTwoSources ? .absent(whyUnmatched) : earlier.crashed,
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
        if areOfTwoSources { return .otherSource(release: earlier.label) }
        for facts in [later, earlier] {
            guard let life = facts.evaluation.basis?.life else {
                return index.releases.counts.basis == .users
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
            day.map { index.releases.sampling[$0] }.flatMap { $0 > 1 ? $0 : nil }
        }
        return PairSampling(later: factor(later), earlier: factor(earlier))
    }

    private func users(of release: ReleaseFacts, on day: CivilDate) -> Fraction? {
        index.releases.counts.health[.init(date: day, version: release.label)]?.crashedUserShare
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
