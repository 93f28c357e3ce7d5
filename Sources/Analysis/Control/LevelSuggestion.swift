package import AppHealth
package import Statistics

/// A target and a critical level that an app's own past bears out.
///
/// Days far below the others are skipped first, as they are incidents and not what the app can keep: those
/// below the lower quartile by more than three interquartile ranges (J. W. Tukey, "Exploratory Data Analysis",
/// 1977, the outer fence). The range counts as at least the one that chance alone gives a day of usual size.
///
/// - The target is the highest level, in steps of 0.1 percentage points (0.01 from 99.9% on), that would have
///   been missed on at most 5% of the other days. It is no higher than what all of these together keep for sure: most days
///   of a few sessions have no crash, and a day with one is far below them.
/// - The critical level is the highest such level that would have been missed on at most 2% of them and that
///   allows at least half as many crashes again as the target.
///
/// Neither is ever 100%.
package struct LevelSuggestion: Hashable, Codable, Sendable {
    /// The fewest days, those far below the others not counted, from which levels are suggested: four weeks.
    package static let fewestDays = 28
    /// The share of the days on which the target may have been missed.
    package static let targetShare = 0.05
    /// The share of the days on which the critical level may have been missed.
    package static let criticalShare = 0.02
    /// How many times the crashes that the target allows the critical level allows at least.
    package static let criticalFactor = 1.5

    /// How many days have a rate.
    package let days: Int
    /// How many of them lie far below the others and were skipped.
    package let farBelow: Int
    /// The median crash-free rate of all of the days, in 0…1.
    package let median: Double
    /// The 95% interval of the median, by the ranks of the days: M. J. Campbell, M. J. Gardner, "Calculating
    /// confidence intervals for some non-parametric analyses", BMJ 296 (1988) 1454–1456.
    package let medianInterval: Interval
    /// The suggested levels.
    package let targets: Targets
    /// On how many of all days the rate lay below the suggested levels.
    package let misses: Misses
    /// On how many of the days that do not lie far below the others it did; these are the ones that decide.
    package let usualMisses: Misses
    /// By how much one more crash lowers the rate of a day of usual size, in 0…1.
    package let oneCrash: Double

    /// How often levels were missed.
    package struct Misses: Hashable, Codable, Sendable {
        /// How many days were below the target.
        package let target: Int
        /// How many were below the critical level.
        package let critical: Int

        fileprivate init(_ rates: [Double], _ targets: Targets) {
            target = rates.count { $0 < targets.target - tiny }
            critical = rates.count { $0 < targets.critical - tiny }
        }
    }

    /// Why levels are not suggested.
    package enum Shortage: Error, Hashable, Codable, Sendable {
        /// So many more days are needed that do not lie far below the others.
        case moreDays(Int)
        /// The target would be so low that half as many crashes again would be more than all.
        case tooLow
    }

    /// How many of the days do not lie far below the others.
    package var usualDays: Int { days - farBelow }

    /// Levels from crashed shares, one of each day.
    package init(_ crashed: [Fraction]) throws(Shortage) {
        let rates = crashed.map(\.complement.value).sorted()
        let fence = rates.isEmpty ? 0 : fence(rates, crashed)
        let usual = rates.filter { $0 >= fence }
        guard usual.count >= Self.fewestDays else { throw .moreDays(Self.fewestDays - usual.count) }
        let target = min(
            level(missedBy: Self.targetShare, of: usual),
            kept(crashed.filter { $0.complement.value >= fence || $0.numerator <= 1 }))
        let lower = min(
            level(missedBy: Self.criticalShare, of: usual),
            snapped(1 - Self.criticalFactor * (1 - target), to: step(at: target)))
        guard let targets = Targets(target: target, critical: lower) else { throw .tooLow }
        self.days = rates.count
        self.farBelow = rates.count - usual.count
        self.median = middle(rates)
        self.medianInterval = intervalOfMedian(rates)
        self.targets = targets
        self.misses = Misses(rates, targets)
        self.usualMisses = Misses(usual, targets)
        self.oneCrash = 1 / middle(crashed.map { Double($0.denominator) }.sorted())
    }
}

/// What may be lost in dividing and rounding.
private let tiny = 1e-12

/// The rate below which a day lies far below the others.
private func fence(_ ordered: [Double], _ crashed: [Fraction]) -> Double {
    let lower = ordered[ordered.count / 4]
    let range = ordered[min(ordered.count - 1, ordered.count * 3 / 4)] - lower
    let size = middle(crashed.map { Double($0.denominator) }.sorted())
    let all = crashed.reduce((0.0, 0.0)) { ($0.0 + Double($1.numerator), $0.1 + Double($1.denominator)) }
    let share = all.0 / all.1
    // The interquartile range of a normal distribution is 1.349 standard deviations.
    let chance = 1.349 * (share * (1 - share) / size).squareRoot()
    return lower - 3 * max(range, chance)
}

/// The median of ordered values, of which there is at least one.
private func middle(_ ordered: [Double]) -> Double {
    (ordered[(ordered.count - 1) / 2] + ordered[ordered.count / 2]) / 2
}

/// The highest level that at most this share of ordered rates lies below.
private func level(missedBy share: Double, of rates: [Double]) -> Double {
    let rate = rates[Int(share * Double(rates.count))]
    let step = step(at: rate)
    // Not 100%, which one crash would miss.
    return min(snapped(rate, to: step), snapped(1 - step, to: step))
}

/// The highest level that days together are at or above for sure: the lower bound of their rate.
private func kept(_ crashed: [Fraction]) -> Double {
    let (part, whole) = crashed.reduce((0, 0)) { ($0.0 + $1.numerator, $0.1 + $1.denominator) }
    guard let interval = Fraction(part, of: whole)?.interval else { return 1 }
    let lower = 1 - interval.upper
    return snapped(lower, to: step(at: lower))
}

/// The step in which levels of about a rate are given.
private func step(at rate: Double) -> Double { rate >= 0.999 - tiny ? 0.0001 : 0.001 }

/// The largest multiple of a step that is not above the value.
private func snapped(_ value: Double, to step: Double) -> Double {
    let steps = (1 / step).rounded()
    return (value * steps + 1e-6).rounded(.down) / steps
}

private func intervalOfMedian(_ ordered: [Double]) -> Interval {
    let count = Double(ordered.count)
    let half = 1.959963984540054 * count.squareRoot() / 2
    let lower = max(1, Int((count / 2 - half).rounded()))
    let upper = min(ordered.count, Int((1 + count / 2 + half).rounded()))
    return Interval(lower: ordered[lower - 1], upper: ordered[upper - 1])
}
