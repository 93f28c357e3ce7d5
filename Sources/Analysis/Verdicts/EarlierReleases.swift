import AppHealth
import Statistics

/// The lives of the releases of an app, in which those that a later one is held against are found without a pass
/// through all of them.
struct EarlierReleases: Sendable {
    /// The lives in the order of their first days.
    let lives: [ReleaseHistory]
    private let places: [String: Int]
    /// Those whose own first day is known, in the same order.
    private var candidates: [Candidate] = []
    /// What each of these is held against, by its place among the lives.
    private var comparisons: [Int: ReleaseComparisons] = [:]
    private let critical: @Sendable (CivilDate) -> Double
    private let onDay: @Sendable (_ label: String, CivilDate) -> DayCount?
    /// The days of which crashes are still coming in.
    private let late: Set<CivilDate>
    /// The days from which on another source counted releases than before.
    private let changes: [CivilDate]
    /// The lives that went on when the source of releases changed, from the last change on, by label.
    private let since: [String: ReleaseHistory]

    /// A life whose first day is known.
    private struct Candidate {
        let place: Int
        let firstDay: CivilDate
        let length: Int
        /// How the days of the app varied before it.
        let noise: Double?
        /// The crashed share of all of it; nil without counts.
        let crashed: AlwaysValidInterval?
    }

    /// - Parameters:
    ///   - lives: in the order of their first days.
    ///   - changes: the days from which on another source counted releases: of a life what the first one counted is held
    ///     against others.
    ///   - late: the days of which crashes are still coming in: they take back no claim that a release is worse.
    ///   - critical: the level below which a release is no measure for those that began on a day.
    ///   - noise: how the days of the app varied before the first day of a life, for each session of a day; nil where it is
    ///     not known.
    ///   - onDay: the counts of a release on a day, also after the days of its life that are judged.
    init(
        _ lives: [ReleaseHistory], changes: [CivilDate] = [], late: Set<CivilDate> = [],
        critical: @escaping @Sendable (CivilDate) -> Double,
        noise: (CivilDate) -> Double? = { _ in nil },
        onDay: @escaping @Sendable (_ label: String, CivilDate) -> DayCount? = { _, _ in nil }
    ) {
        since = Dictionary(
            lives.compactMap { life in
                changes.filter { $0 > life.firstDay }.max().flatMap(life.since).map { (life.label, $0) }
            }, uniquingKeysWith: { first, _ in first })
        let lives = lives.map { life in
            let change = changes.filter { $0 > life.firstDay }.min()
            return change.map { life.through(life.firstDay.days(to: $0) - 1) } ?? life
        }
        self.lives = lives
        self.changes = changes
        self.late = late
        self.critical = critical
        self.onDay = onDay
        places = Dictionary(
            lives.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
        // Each is held against those before it, some of which are no measure because they were worse than others.
        for (place, life) in lives.enumerated() where life.start == .known {
            comparisons[place] = ReleaseComparisons(life, among: self)
            let before = noise(life.firstDay)
            candidates.append(
                Candidate(
                    place: place, firstDay: life.firstDay, length: life.days.count, noise: before,
                    crashed: life.crashed(through: life.days.count - 1, before)))
        }
    }

    /// The life of a release; nil when it has no counts.
    subscript(label: String) -> ReleaseHistory? { places[label].map { lives[$0] } }

    /// Whether all crashes of a day came in.
    func isSettled(_ day: CivilDate) -> Bool { !late.contains(day) }

    /// The counts of a release on a day, however old it was; nil without.
    func count(of label: String, on day: CivilDate) -> DayCount? { onDay(label, day) }

    /// The life of a release as the source that counts it now knows it; nil when that is the same.
    func life(sinceChangeOf label: String) -> ReleaseHistory? { since[label] }

    /// The comparisons of a life with those before it.
    func comparisons(of life: ReleaseHistory) -> ReleaseComparisons {
        places[life.label].flatMap { comparisons[$0] } ?? ReleaseComparisons(life, among: self)
    }

    /// The newest that began before a life and are a measure for it, the newest first, and those that are passed over as
    /// they were worse than the ones before them. Those whose own first day is not known are skipped, and those that were
    /// surely below the critical level when the life began.
    func measures(for life: ReleaseHistory) -> (chosen: [ReleaseHistory], halted: [UnmatchedRelease]) {
        var chosen: [ReleaseHistory] = []
        var halted: [UnmatchedRelease] = []
        for candidate in candidates.prefix(candidates.count(before: life.firstDay, \.firstDay)).reversed() {
            switch reason(candidate, life) {
            case nil: chosen.append(lives[candidate.place])
            case .worse?: halted.append(UnmatchedRelease(label: lives[candidate.place].label, reason: .worse))
            default: continue
            }
            if chosen.count == ReleaseComparison.peerCount { break }
        }
        return (chosen, halted)
    }

    /// Of the newest that began before a life those that are no measure for it, the newest first.
    func unmatched(with life: ReleaseHistory) -> [UnmatchedRelease] {
        let count = lives.count(before: life.firstDay, \.firstDay)
        let newest = lives.indices.prefix(count).suffix(ReleaseComparison.peerCount)
        return newest.reversed().compactMap { place in
            reason(place, life).map { UnmatchedRelease(label: lives[place].label, reason: $0) }
        }
    }

    private func reason(_ place: Int, _ life: ReleaseHistory) -> UnmatchedRelease.Reason? {
        if changes.separate(lives[place].firstDay, life.firstCountedDay) { return .otherSource }
        return switch lives[place].start {
        case .beforeFigures: .beforeFigures
        case .sameVersion: .sameVersion
        case .belowShare: .belowShare
        case .known:
            candidates.first { $0.place == place }.flatMap { reason($0, life) }
        }
    }

    /// Why a life is no measure for a later one; nil when it is. Most were over when it began.
    private func reason(_ candidate: Candidate, _ life: ReleaseHistory) -> UnmatchedRelease.Reason? {
        if changes.separate(candidate.firstDay, life.firstCountedDay) { return .otherSource }
        let age = candidate.firstDay.days(to: life.firstDay)
        let crashed =
            age >= candidate.length
            ? candidate.crashed : lives[candidate.place].crashed(through: age - 1, candidate.noise)
        guard let crashed else { return .uncounted }
        if crashed.isAbove(1 - critical(life.firstDay)) { return .critical }
        return isHalted(candidate, before: life.firstDay) ? .worse : nil
    }

    /// Whether a release was worse when another one began, which may be its hotfix.
    private func isHalted(_ candidate: Candidate, before day: CivilDate) -> Bool {
        comparisons[candidate.place]?.worseFrom(before: day).map {
            $0.days(to: day) <= UnmatchedRelease.haltedDays
        } ?? false
    }
}

extension ReleaseHistory {
    /// The crashed share up to an age, as its verdict has it; nil without counts.
    fileprivate func crashed(through age: Int, _ noise: Double?) -> AlwaysValidInterval? {
        let total = total(through: age)
        return AlwaysValidInterval(
            events: total.crashed, of: total.total, dispersion: dispersion(through: age, noise: noise))
    }
}

extension Array {
    /// How many elements, which are in the order of their first days, begin before a day.
    fileprivate func count(before day: CivilDate, _ firstDay: KeyPath<Element, CivilDate>) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle][keyPath: firstDay] < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
