private import Platform

/// How p-values of many tests are adjusted, so that each can be compared with one level.
package enum Adjustment: Hashable, Sendable, CaseIterable {
    /// The false discovery rate, for independent or positively dependent tests: Y. Benjamini, Y. Hochberg,
    /// Journal of the Royal Statistical Society B 57 (1995) 289–300.
    case benjaminiHochberg
    /// The false discovery rate whatever the dependence: Y. Benjamini, D. Yekutieli, Annals of Statistics 29
    /// (2001) 1165–1188.
    case benjaminiYekutieli
    /// The chance of any false discovery: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65–70.
    case holm
}

/// The adjusted p-values in the order of the given ones; one that is no number in 0…1 stays NaN and counts as
/// no test.
package func adjusted(_ pValues: [Double], by adjustment: Adjustment) -> [Double] {
    let order = pValues.indices.filter { pValues[$0] >= 0 && pValues[$0] <= 1 }
        .sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    let count = Double(order.count)
    var result = [Double](repeating: .nan, count: pValues.count)
    switch adjustment {
    case .holm:
        var highest = 0.0
        for (rank, index) in order.enumerated() {
            highest = max(highest, min(1, pValues[index] * (count - Double(rank))))
            result[index] = highest
        }
    case .benjaminiHochberg, .benjaminiYekutieli:
        let harmonic = order.indices.reduce(0) { $0 + 1 / Double($1 + 1) }
        let factor = adjustment == .benjaminiYekutieli ? count * harmonic : count
        var lowest = 1.0
        for (rank, index) in order.enumerated().reversed() {
            lowest = min(lowest, pValues[index] * factor / Double(rank + 1))
            result[index] = lowest
        }
    }
    return result
}
