/// Sums over any span of a series, from one pass over it.
struct RunningSums {
    private var sums: [Double] = [0]

    init(_ values: some Sequence<Double>) {
        for value in values { sums.append((sums.last ?? 0) + value) }
    }

    /// The sum of the values in a range, cut to the series.
    func over(_ range: Range<Int>) -> Double {
        let last = sums.count - 1
        return sums[min(max(range.upperBound, 0), last)] - sums[min(max(range.lowerBound, 0), last)]
    }
}
