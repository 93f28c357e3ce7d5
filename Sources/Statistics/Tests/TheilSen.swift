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
