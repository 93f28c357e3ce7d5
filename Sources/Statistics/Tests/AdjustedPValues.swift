/// The p-values of many tests adjusted for the false discovery rate, so that each can be compared with one level: for
/// independent or positively dependent tests (Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57
/// (1995) 289–300). In the order of the given ones; one that is no number in 0…1 stays NaN and counts as no test.
package func adjustedForDiscoveries(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.filter { pValues[$0] >= 0 && pValues[$0] <= 1 }
        .sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    let count = Double(order.count)
    var result = [Double](repeating: .nan, count: pValues.count)
    var lowest = 1.0
    for (rank, index) in order.enumerated().reversed() {
        lowest = min(lowest, pValues[index] * count / Double(rank + 1))
        result[index] = lowest
    }
    return result
}
