private import Platform

/// The Mann–Kendall test: does a series rise or fall, whatever its shape?
///
/// H. B. Mann, Econometrica 13 (1945) 245–259; M. G. Kendall, "Rank Correlation Methods" (1975); variance
/// corrected for ties, normal approximation with continuity correction.
package struct MannKendall: Hashable, Sendable {
    /// Rising pairs minus falling ones.
    package let score: Int
    /// The variance of the score when there is no trend; zero when all values are equal.
    package let variance: Double
    /// The score in standard errors.
    package let deviate: Double
    /// The two-sided p-value, in 0…1.
    package let pValue: Double

    /// Tests a series in its order; values that are not numbers are gaps. Nil for fewer than two values and
    /// for more than 10,000.
    package init?(_ series: [Double]) {
        let values = series.filter { !$0.isNaN }
        guard values.count >= 2, values.count <= 10_000 else { return nil }
        var score = 0
        for (index, value) in values.enumerated() {
            for later in values[(index + 1)...] { score += later > value ? 1 : later < value ? -1 : 0 }
        }
        let ties = Dictionary(grouping: values, by: \.self).values.map(\.count)
        let variance = (Self.weight(values.count) - ties.map(Self.weight).reduce(0, +)) / 18
        let excess = Double(score - score.signum())
        self.score = score
        self.variance = variance
        deviate = variance > 0 ? excess / variance.squareRoot() : 0
        pValue = min(1, 2 * normalTails(abs(deviate)).upper)
    }

    private static func weight(_ count: Int) -> Double {
        let count = Double(count)
        return count * (count - 1) * (2 * count + 5)
    }
}

/// The median of the slopes between all pairs of a series: change per step, whatever a few outliers do.
///
/// H. Theil, Proceedings of the Royal Netherlands Academy of Sciences 53 (1950) 386–392; P. K. Sen, Journal
/// of the American Statistical Association 63 (1968) 1379–1389. Values that are not finite are gaps: they
/// take up a step. Nil for fewer than two values and for more than 2,000 steps.
package func theilSenSlope(_ series: [Double]) -> Double? {
    guard series.count <= 2000 else { return nil }
    var slopes: [Double] = []
    for (start, value) in series.enumerated() where value.isFinite {
        for end in (start + 1)..<max(series.count, start + 1) where series[end].isFinite {
            slopes.append((series[end] - value) / Double(end - start))
        }
    }
    return median(slopes)
}

/// The middle of the values, or of the two middle ones; nil when there are none.
package func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? sorted[middle - 1] / 2 + sorted[middle] / 2 : sorted[middle]
}
