import AppHealth
import Statistics

/// The releases of an app with the crashes that are still expected of the newest days.
struct LateCrashes: Sendable {
    private let releases: EarlierReleases
    private let late: [CivilDate: LateCounts]

    /// Nil where all crashes came in, or the past does not say how many do.
    init?(_ index: HistoryIndex, changes: [CivilDate], noise: NoiseBefore) {
        let late = index.releases.counts.source.lateCounts(index.releases.counts.basis)
            .filter { $0.value.part != nil }
        guard !late.isEmpty else { return nil }
        self.late = late
        let lives = index.releases.lives.map { $0.expecting(late) }
        releases = EarlierReleases(
            lives, changes: changes, late: Set(late.keys),
            critical: { [levels = index.levels] in levels[$0].critical }, noise: { noise[$0] },
            onDay: { index.releases.count(of: $0, on: $1)?.expecting(late[$1]?.part) })
    }

    /// A release as it is expected to be; nil where all crashes of its days came in.
    func life(expectedOf life: ReleaseHistory) -> LateLife? {
        let byAge = Dictionary(
            life.days.indices.compactMap { age in late[life.day(ofAge: age)].map { (age, $0) } },
            uniquingKeysWith: { first, _ in first })
        guard !byAge.isEmpty else { return nil }
        let expected = life.expecting(late)
        return LateLife(
            life: expected, comparisons: ReleaseComparisons(expected, among: releases), late: byAge)
    }
}

/// A release with the crashes that are still expected of its newest days.
struct LateLife {
    let life: ReleaseHistory
    let comparisons: ReleaseComparisons
    /// By age.
    fileprivate let late: [Int: LateCounts]

    /// The shares of the newest day up to an age.
    func newest(through age: Int) -> LateCounts? {
        late.keys.filter { $0 <= age }.max().flatMap { late[$0] }
    }
}

extension ReleaseHistory {
    /// The same with no more of a day than the crashes that came in are of: where a third of them came, with a third of
    /// it. The rate is the one that is expected, and it is no surer than what was seen.
    fileprivate func expecting(_ late: [CivilDate: LateCounts]) -> ReleaseHistory {
        var (days, gaps) = (days, gaps)
        for age in days.indices {
            guard let count = days[age], let part = late[day(ofAge: age)]?.part else { continue }
            days[age] = count.expecting(part)
            if days[age] == nil { gaps.insert(age) }
        }
        return ReleaseHistory(
            label: label, basis: basis, firstDay: firstDay, start: start, days: days, gaps: gaps)
    }
}

extension DayCount {
    /// A day with less than so much of its crashes says nothing yet.
    private static let leastPart = 0.05

    /// No more of a day than the crashes that came in are of, where a part of them did; nil where that says nothing yet.
    fileprivate func expecting(_ part: Double?) -> DayCount? {
        guard let part else { return self }
        return part < Self.leastPart ? nil : self.part(part)
    }

    /// All that crashed, of a part of the whole; nil where nothing is left.
    private func part(_ part: Double) -> DayCount? {
        let total = max(crashed, Int((Double(total) * part).rounded()))
        return DayCount(total: total, crashed: crashed, deviation: deviation, sampling: sampling)
    }
}
