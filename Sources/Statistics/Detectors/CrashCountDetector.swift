/// Finds days on which an app crashed more often than its own past lets one expect, over one, three or seven days,
/// where nothing but its crashes is counted.
///
/// The forecast, the dispersion and the bar are those of `CrashRateDropDetector` with days in place of sessions: every
/// day weighs the same. How much the app was used is not known, so a rise must be larger to be a finding.
package struct CrashCountDetector: Hashable, Sendable {
    /// The least score that is reported, whatever the record.
    package var floor: Double
    /// By what factor the record must be beaten.
    package var margin: Double

    /// The standard bar, or another.
    package init(floor: Double = 2, margin: Double = 1.1) {
        self.floor = floor
        self.margin = margin
    }

    /// False reports in a year of one app with the standard bar, as measured on made-up series in which
    /// nothing harmful happens.
    package static let falseReportsPerYear = 0.9

    /// How many more crashes than expected a rise must be at least, however certain.
    package static let leastRise = Int(LeastRise.ofCounts.count)
    /// How many times as many as expected they must be at least.
    package static let leastRatio = 1 + LeastRise.ofCounts.part

    /// The days that are reported, in order; nil is a gap: it neither raises anything nor counts in what is expected.
    package func findings(in series: [Int?]) -> [CrashCountFinding] {
        rates.findings(in: days(of: series)).map(CrashCountFinding.init)
    }

    /// What was expected of each day from one on by itself, in order, as findings have it; nothing of gaps and of days
    /// without enough of a past.
    ///
    /// - Parameter part: The part of such days that a range holds, in 0…1.
    package func forecasts(
        in series: [Int?], from first: Int, holding part: Double
    ) -> [(day: Int, forecast: CrashCountForecast)] {
        rates.forecasts(in: days(of: series), from: first).sorted { $0.key < $1.key }.map { day, counts in
            (day, CrashCountForecast(expected: counts.mean, range: counts.range(holding: part)))
        }
    }

    private func days(of series: [Int?]) -> [DayCount?] {
        series.map { count in
            count.flatMap { DayCount(total: Self.weight, crashed: min(max($0, 0), Self.weight)) }
        }
    }

    /// Whether a finding would be one as well, by the least score, if so many crashes a day had been expected.
    package func finds(_ finding: CrashCountFinding, expecting perDay: Double) -> Bool {
        rates.finds(finding.inRates, expecting: perDay / Double(Self.weight))
    }

    private var rates: CrashRateDropDetector {
        CrashRateDropDetector(floor: floor, margin: margin, least: .ofCounts, usualRecord: 2.3)
    }

    /// What each day has in place of sessions: so many that the few added to every rate count for nothing.
    fileprivate static let weight = 1 << 40
}

/// What was expected of the crashes of a day.
package struct CrashCountForecast: Hashable, Sendable {
    /// How many were expected.
    package let expected: Double
    /// Where the wanted part of such days was expected to be.
    package let range: ClosedRange<Int>
}

extension CountDistribution {
    /// Where a part of its counts is, as many outside of it on either side.
    fileprivate func range(holding part: Double) -> ClosedRange<Int> {
        let tail = (1 - part) / 2
        let lower = quantile(upperTail: 1 - tail) ?? 0
        return lower...max(lower, quantile(upperTail: tail) ?? lower)
    }
}

extension CrashCountFinding {
    fileprivate init(_ finding: DropFinding) {
        let expected = finding.expected * Double(finding.total)
        let counts = CountDistribution(mean: expected, dispersion: finding.dispersion)
        self.init(
            day: finding.day, window: finding.window, known: finding.total / CrashCountDetector.weight,
            score: finding.score, crashes: finding.crashed, expected: expected,
            range: counts?.range(holding: standardConfidence) ?? 0...0,
            dispersion: finding.dispersion, baselineDays: finding.baselineDays)
    }

    /// The finding of the rate that it came from.
    fileprivate var inRates: DropFinding {
        let total = known * CrashCountDetector.weight
        return DropFinding(
            day: day, window: window, score: score, crashed: crashes, total: total,
            expected: expected / Double(total), dispersion: dispersion, baselineTotal: 0,
            baselineDays: baselineDays)
    }
}
