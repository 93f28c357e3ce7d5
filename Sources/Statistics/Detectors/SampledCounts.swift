private import Platform

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
        // A sum that no Int holds stays at the largest.
        let all = window.reduce(DayCount.nothing) { $0 + $1.1 }
        return DropFinding(
            day: finding.day, window: finding.window, score: finding.score,
            crashed: all.crashed, total: all.total,
            expected: finding.expected, dispersion: finding.dispersion,
            baselineTotal: Int(min((Double(finding.baselineTotal) * factor).rounded(), 1e15)),
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

/// What each day was multiplied by, as the counts of it and of the eight weeks before it show; 1 where they show nothing.
///
/// Counts that show too little themselves, as they are few or alike, have the number that the last ones before them
/// showed, or the first ones after them, where they are all multiples of it.
private func commonFactors(of series: [DayCount?]) -> [Double] {
    let divisors = series.indices.map { place in
        CommonDivisor(
            of: series[max(0, place + 1 - CrashBaseline.days)...place].compactMap(\.self).filter {
                $0.total > 0
            })
    }
    var shown = divisors.first { $0.isShown }?.value ?? 1
    return divisors.map { divisor in
        if divisor.isShown { shown = divisor.value }
        return divisor.value.isMultiple(of: shown) ? Double(shown) : 1
    }
}

/// The greatest number that all counts of some days are multiples of.
///
/// By accident a count is a multiple of φ about once in φ times, and so k different ones all are with a chance of φ⁻ᵏ; equal
/// counts are evidence once, as they may be alike for another reason. Totals may have been rounded, so that the days with
/// crashes have to be evidence by themselves: here each day is, as a sample with few crashes has one of them on most. Counts
/// that vary by chance show it; numbers that somebody made up may not.
private struct CommonDivisor {
    /// The number; 0 where no day has a count.
    private(set) var value = 0
    /// Whether it is no accident.
    private(set) var isShown = false

    init(of days: [DayCount]) {
        for day in days.reversed() {
            value = greatestDivisor(greatestDivisor(value, day.total), day.crashed)
            if value == 1 { return }
        }
        guard days.count >= CrashRateDropDetector.warmUp else { return }
        let totals = Set(days.map(\.total)).count
        let crashed = days.map(\.crashed).filter { $0 > 0 }
        let certainty = log(Double(value))
        isShown =
            totals >= Self.leastTotals
            && Double(totals + Set(crashed).count) * certainty >= -log(Self.accident)
            && Double(crashed.count) * certainty >= -log(Self.accidentOfCrashes)
    }

    /// How many different totals there have to be: fewer may be a plan, as one number for weekdays and one for weekends.
    private static let leastTotals = 5
    /// The greatest chance that is taken for no accident, of all counts and of the crashed ones alone.
    private static let (accident, accidentOfCrashes) = (1e-6, 1e-3)
}

private func greatestDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
}
