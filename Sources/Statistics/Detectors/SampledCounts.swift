/// Counts of samples, as a source multiplied them.
///
/// A count that was multiplied by φ varies by chance as φ times what a count of its size does. So what is judged are the
/// counts of the sample: those of now divided by φ.
struct SampledCounts {
    /// The counts of the samples; those of days that are no sample as they were.
    let days: [DayCount?]
    /// By what each day was multiplied; 1 where it is no sample.
    private let factors: [Double]
    private let stated: [DayCount?]

    /// - Parameter factors: By what the counts of each day are known to be multiplied; 1, or none at all, where nothing is
    ///   known.
    init(_ series: [DayCount?], factors known: [Double]) {
        let common = commonFactors(of: series)
        let factors = series.indices.map { place in
            max(common[place], known.indices.contains(place) ? known[place] : 1)
        }
        self.factors = factors
        stated = series
        days = zip(series, factors).map { day, factor in day.flatMap { $0.divided(by: factor) } }
    }

    /// A finding in the counts of samples with the counts as they were stated.
    func stated(_ finding: DropFinding) -> DropFinding {
        let places = (finding.day - finding.window + 1)...finding.day
        let window = places.compactMap { place in stated[place].map { (factors[place], $0) } }
        let total = window.reduce(0) { $0 + Double($1.1.total) }
        let sampled = window.reduce(0) { $0 + Double($1.1.total) / $1.0 }
        guard sampled > 0, total > sampled else { return finding }
        let factor = total / sampled
        return DropFinding(
            day: finding.day, window: finding.window, score: finding.score,
            crashed: window.reduce(0) { $0 + $1.1.crashed }, total: window.reduce(0) { $0 + $1.1.total },
            expected: finding.expected, dispersion: finding.dispersion,
            baselineTotal: Int((Double(finding.baselineTotal) * factor).rounded()),
            baselineDays: finding.baselineDays, deviations: finding.deviations, sampling: factor)
    }
}

extension DayCount {
    /// So many times fewer.
    fileprivate func divided(by factor: Double) -> DayCount? {
        guard factor > 1 else { return self }
        let total = Int((Double(total) / factor).rounded())
        return DayCount(
            total: total, crashed: min(total, Int((Double(crashed) / factor).rounded())), deviation: deviation
        )
    }
}

/// The number that all counts of each day and of the eight weeks before it are multiples of: a sample that was multiplied
/// by it. 1 where there is none, or where counts are too few or too alike to show one; days before the first that show
/// one have that of it.
private func commonFactors(of series: [DayCount?]) -> [Double] {
    var factors: [Double?] = series.indices.map { place in
        let days = series[max(0, place + 1 - CrashBaseline.days)...place].compactMap(\.self).filter {
            $0.total > 0
        }
        guard days.count >= CrashRateDropDetector.warmUp else { return nil }
        var divisor = 0
        for day in days.reversed() {
            divisor = greatestDivisor(greatestDivisor(divisor, day.total), day.crashed)
            if divisor == 1 { return 1 }
        }
        let areDifferent =
            Set(days.map(\.total)).count >= leastTotals
            && Set(days.map(\.crashed).filter { $0 > 0 }).count >= leastCrashed
        return areDifferent ? Double(divisor) : 1
    }
    let first = factors.firstIndex { $0 != nil }
    for place in factors.indices where place < first ?? .max {
        factors[place] = first.flatMap { factors[$0] }
    }
    return factors.map { $0 ?? 1 }
}

/// How many different totals, and numbers of crashed ones, show that it is no accident when all are multiples of a number.
private let (leastTotals, leastCrashed) = (10, 3)

private func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
}
