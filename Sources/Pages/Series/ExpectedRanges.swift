import AppHealth
import Charts
import Statistics

/// What expected ranges are made from.
enum ExpectedRanges {
    /// The days before a step from which it is expected.
    static let past = 28
    /// The days of a step.
    static let step = 7
    /// The fewest known days of the past.
    static let fewest = 14
    /// The part of the counts that a range holds, in 0…1.
    static let held = 0.99
    /// A day counts for the next steps as at most so many times its upper bound, and as many more.
    static let learnt = 2.0
}

/// What the days of a series could be expected to bring, each week from the 28 days before it.
///
/// The mean is that of the known days, with half an event added so that a silent past does not promise silence;
/// the variance m + κ m² is fitted by moments (Johnson, Kemp, Kotz 2005, chapter 5), and the range holds 99%
/// of the counts of that distribution. A day far beyond its range is learnt as twice the range, so that one
/// outlier does not make the next ones look calm, and a new level is still learnt within weeks. A week whose
/// past has fewer than fourteen known days has no range, and provisional days teach nothing.
func expectedRanges(_ points: [ChartPoint]) -> [ExpectedRange] {
    var learnt = points.map { $0.provisional ? nil : $0.value }
    var ranges: [ExpectedRange] = []
    for start in stride(from: ExpectedRanges.past, to: points.count, by: ExpectedRanges.step) {
        let past = learnt[(start - ExpectedRanges.past)..<start].compactMap(\.self)
        guard past.count >= ExpectedRanges.fewest, let range = expectedRange(past) else { continue }
        for index in start..<min(start + ExpectedRanges.step, points.count) {
            learnt[index] = learnt[index].map { min($0, ExpectedRanges.learnt * (range.upper + 1)) }
            let day = ExpectedRange(
                points[index].date, lower: range.lower, mean: range.mean, upper: range.upper)
            if let day { ranges.append(day) }
        }
    }
    return ranges
}

private func expectedRange(_ past: [Double]) -> (lower: Double, mean: Double, upper: Double)? {
    let count = Double(past.count)
    let mean = (past.reduce(0, +) + 0.5) / count
    let variance = past.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let dispersion = max(variance - mean, 0) / (mean * mean)
    guard let distribution = CountDistribution(mean: mean, dispersion: dispersion),
        let lower = distribution.quantile(upperTail: (1 + ExpectedRanges.held) / 2),
        let upper = distribution.quantile(upperTail: (1 - ExpectedRanges.held) / 2)
    else { return nil }
    // A skewed distribution may have its mean beyond a bound.
    return (min(Double(lower), mean), mean, max(Double(upper), mean))
}
