import AppHealth
import Statistics

/// The lives of the releases of an app, in which those that a later one is held against are found without a pass
/// through all of them.
struct EarlierReleases: Sendable {
    /// The lives in the order of their first days.
    let lives: [ReleaseHistory]
    private let places: [String: Int]
    /// Those whose own first day is known, in the same order.
    private let candidates: [Candidate]
    private let critical: Double

    /// A life whose first day is known.
    private struct Candidate {
        let place: Int
        let firstDay: CivilDate
        let length: Int
        /// Why the whole of it is no measure; nil when it is one.
        let reason: UnmatchedRelease.Reason?
    }

    /// - Parameters:
    ///   - lives: in the order of their first days.
    ///   - critical: the level below which a release is no measure for others.
    init(_ lives: [ReleaseHistory], critical: Double) {
        self.lives = lives
        self.critical = critical
        places = Dictionary(
            lives.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
        candidates = lives.indices.compactMap { place in
            let life = lives[place]
            guard life.start == .known else { return nil }
            return Candidate(
                place: place, firstDay: life.firstDay, length: life.days.count,
                reason: whyNoMeasure(wholeCount(life.days), critical: critical))
        }
    }

    /// The life of a release; nil when it has no counts.
    subscript(label: String) -> ReleaseHistory? { places[label].map { lives[$0] } }

    /// The newest that began before a life and are a measure for it, the newest first. Those whose own first day is not
    /// known are skipped, and those that were surely below the critical level when the life began.
    func measures(for life: ReleaseHistory) -> [ReleaseHistory] {
        var found: [ReleaseHistory] = []
        for candidate in candidates.prefix(candidates.count(before: life.firstDay, \.firstDay)).reversed()
        where reason(candidate, life) == nil {
            found.append(lives[candidate.place])
            if found.count == ReleaseComparison.peerCount { break }
        }
        return found
    }

    /// Of the newest that began before a life those that are no measure for it, the newest first.
    func unmatched(with life: ReleaseHistory) -> [UnmatchedRelease] {
        let newest = lives.prefix(lives.count(before: life.firstDay, \.firstDay))
            .suffix(ReleaseComparison.peerCount)
        return newest.reversed().compactMap { earlier in
            whyUnmatched(earlier, with: life, critical: critical).map {
                UnmatchedRelease(label: earlier.label, reason: $0)
            }
        }
    }

    /// Why a life is no measure for a later one: most were over when it began.
    private func reason(_ candidate: Candidate, _ life: ReleaseHistory) -> UnmatchedRelease.Reason? {
        candidate.firstDay.days(to: life.firstDay) >= candidate.length
            ? candidate.reason
            : whyUnmatched(lives[candidate.place], with: life, critical: critical)
    }
}

/// Why an earlier release is no measure for another one; nil when it is.
private func whyUnmatched(
    _ earlier: ReleaseHistory, with life: ReleaseHistory, critical: Double
) -> UnmatchedRelease.Reason? {
    switch earlier.start {
    case .beforeFigures: return .beforeFigures
    case .belowShare: return .belowShare
    case .known:
        return whyNoMeasure(
            earlier.total(through: earlier.firstDay.days(to: life.firstDay) - 1), critical: critical)
    }
}

/// Why a release with these counts is no measure for others; nil when it is.
private func whyNoMeasure(_ total: DayCount, critical: Double) -> UnmatchedRelease.Reason? {
    let crashed = AlwaysValidInterval(
        events: total.crashed, of: total.total, dispersion: 1 + total.addedDispersion)
    guard let crashed else { return .uncounted }
    return crashed.isAbove(1 - critical) ? .critical : nil
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
