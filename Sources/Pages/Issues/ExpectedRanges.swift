import AppHealth
import Charts
import Statistics

/// What the days of a series could be expected to bring, each week from the 28 days before it.
///
/// The mean is that of the known days, with half an event added so that a silent past does not promise silence;
/// the variance m + κ m² is fitted by moments (Johnson, Kemp, Kotz 2005, chapter 5), and the range holds 99 %
/// of the counts of that distribution. A day far beyond its range is learnt as twice the range, so that one
/// wild day does not make the next ones look calm, and a new level is still learnt within weeks. A week whose
/// past has fewer than fourteen known days has no range, and provisional days teach nothing.
func expectedRanges(_ points: [ChartPoint]) -> [ExpectedRange] {
    var learnt = points.map { $0.provisional ? nil : $0.value }
    var ranges: [ExpectedRange] = []
    for start in stride(from: 28, to: points.count, by: 7) {
        let past = learnt[(start - 28)..<start].compactMap(\.self)
        guard past.count >= 14, let range = expectedRange(past) else { continue }
        for index in start..<min(start + 7, points.count) {
            learnt[index] = learnt[index].map { min($0, 2 * range.upper + 2) }
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
        let lower = distribution.quantile(upperTail: 0.995),
        let upper = distribution.quantile(upperTail: 0.005)
    else { return nil }
    // A skewed distribution may have its mean beyond a bound.
    return (min(Double(lower), mean), mean, max(Double(upper), mean))
}
