import AppHealth
import Charts
import Statistics

/// What the days of a series could be expected to bring, each week from the 28 days before it.
///
/// The mean is that of the known days, with half an event added so that a silent past does not promise silence;
/// the variance m + κ m² is fitted by moments (Johnson, Kemp, Kotz 2005, chapter 5), and the range holds 99 %
/// of the counts of that distribution. A week whose past has fewer than fourteen known days has no range, and
/// provisional days teach nothing.
func expectedRanges(_ points: [ChartPoint]) -> [ExpectedRange] {
    stride(from: 28, to: points.count, by: 7).flatMap { start -> [ExpectedRange] in
        let past = points[(start - 28)..<start].filter { !$0.provisional }.compactMap(\.value)
        guard past.count >= 14, let range = expectedRange(past) else { return [] }
        return points[start..<min(start + 7, points.count)].compactMap {
            ExpectedRange($0.date, lower: range.lower, mean: range.mean, upper: range.upper)
        }
    }
}

private func expectedRange(_ past: [Double]) -> (lower: Double, mean: Double, upper: Double)? {
    let count = Double(past.count)
    let mean = (past.reduce(0, +) + 0.5) / count
    let variance = past.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let dispersion = max(variance - mean, 0) / (mean * mean)
    guard let distribution = CountDistribution(mean: mean, dispersion: dispersion),
        let lower = distribution.quantile(upperTail: 0.995),
        let upper = distribution.quantile(upperTail: 0.005)
    else { return nil }
    // A skewed distribution may have its mean beyond a bound.
    return (min(Double(lower), mean), mean, max(Double(upper), mean))
}
