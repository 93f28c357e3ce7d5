import Statistics

/// What a day of a series could be expected to bring.
package struct ExpectedCount: Hashable, Codable, Sendable {
    /// The lowest count that would not surprise.
    package let lower: Double
    /// The expected count.
    package let mean: Double
    /// The highest count that would not surprise.
    package let upper: Double

    /// The days before a step from which it is expected.
    package static let past = 28
    /// The days of a step.
    package static let step = 7
    /// The fewest known days of the past.
    package static let fewest = 14
    /// The part of the counts that a range holds, in 0…1.
    package static let held = 0.99
    /// What is added to the sum of the past, so that a silent one does not promise silence.
    package static let added = 0.5
    /// A day counts for the next steps as at most so many times its upper bound, and as many more.
    package static let learned = 2.0
}

/// What the days of a series could be expected to bring, each step of seven days from the 28 days before it; nil for a
/// day without a range. Days without a count teach nothing, and the first step begins behind the first 28 days.
///
/// The mean is that of the known days, with half an event added so that a silent past does not promise silence;
/// the variance m + κ m² is fitted by moments (Johnson, Kemp, Kotz 2005, chapter 5), and the range holds 99%
/// of the counts of that distribution. A day far beyond its range is learned as twice the range, so that one
/// outlier does not make the next ones look calm, and a new level is still learned within weeks. A week whose
/// past has fewer than fourteen known days has no range.
package func expectedCounts(_ counts: [Double?]) -> [ExpectedCount?] {
    var learned = counts
    var expected = [ExpectedCount?](repeating: nil, count: counts.count)
    for start in stride(from: ExpectedCount.past, to: counts.count, by: ExpectedCount.step) {
        let past = learned[(start - ExpectedCount.past)..<start].compactMap(\.self)
        guard past.count >= ExpectedCount.fewest, let range = ExpectedCount(after: past) else { continue }
        for index in start..<min(start + ExpectedCount.step, counts.count) {
            learned[index] = learned[index].map { min($0, ExpectedCount.learned * (range.upper + 1)) }
            expected[index] = range
        }
    }
    return expected
}

extension ExpectedCount {
    fileprivate init?(after past: [Double]) {
        let count = Double(past.count)
        let mean = (past.reduce(0, +) + Self.added) / count
        let variance = past.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        let dispersion = max(variance - mean, 0) / (mean * mean)
        guard let distribution = CountDistribution(mean: mean, dispersion: dispersion),
            let lower = distribution.quantile(upperTail: (1 + Self.held) / 2),
            let upper = distribution.quantile(upperTail: (1 - Self.held) / 2)
        else { return nil }
        // A skewed distribution may have its mean beyond a bound.
        self.init(lower: min(Double(lower), mean), mean: mean, upper: max(Double(upper), mean))
    }
}
