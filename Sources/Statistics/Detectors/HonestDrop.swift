private import Glibc

/// A fall of the crash-free rate that the app's own past does not explain.
package struct DropFinding: Hashable, Sendable {
    /// The night: the place of the last day in the series.
    package let day: Int
    /// The days that were put together: 1, 3 or 7, the last one being `day`.
    package let window: Int
    /// How surprising it is: minus log₁₀ of a p-value shared among the windows.
    package let score: Double
    /// The crashed share of the window, in 0…1.
    package let share: Double
    /// The crashed share that was to be expected.
    package let expected: Double
    /// The 95 % Newcombe interval of the rise of the crashed share against the days before.
    package let rise: Interval?
}

/// Finds nights on which the crash-free rate fell, over one, three or seven days.
///
/// Counts of crashed sessions against a negative binomial forecast: the rate of the 56 days before with its
/// weekly cycle, the dispersion from the app's own past misses, the tail as of Student's t with 20 degrees. The
/// bar is the record of the app's own nights.
package struct HonestDrop: Hashable, Sendable {
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

    /// The windows in days, and what share of the false alarms each is granted.
    private static let windows: [(days: Int, share: Double)] = [(1, 0.5), (3, 0.3), (7, 0.2)]
    /// The days of history before the first forecast.
    private static let warmUp = 21

    /// The nights that are reported, in order. Days that are nil are gaps; days without sessions tell nothing.
    package func findings(in series: [DayCount?]) -> [DropFinding] {
        var record = OwnRecord(floor: floor, margin: margin, span: 182, lag: 7, alarmSteps: 10, alarmCut: 1.1)
        var dispersions = Self.windows.map { _ in OwnDispersion() }
        var findings: [DropFinding] = []
        for night in series.indices {
            let best = best(in: series, at: night, &dispersions)
            let reported = best.flatMap { $0.score > record.bar ? $0 : nil }
            if let reported { findings.append(reported) }
            record.take(best?.score ?? 0, reported: reported != nil)
        }
        return findings
    }

    /// The most surprising window of a night, from which the dispersions then learn.
    private func best(
        in series: [DayCount?], at night: Int, _ dispersions: inout [OwnDispersion]
    ) -> DropFinding? {
        var best: DropFinding?
        for (index, window) in Self.windows.enumerated() {
            guard let outlook = Outlook(series, night: night, days: window.days) else { continue }
            if let finding = outlook.finding(dispersions[index], share: window.share),
                finding.score > best?.score ?? 0
            {
                best = finding
            }
            dispersions[index].learn(count: outlook.seen, forecast: outlook.forecast)
        }
        return best
    }

    /// A window and what was to be expected of it.
    private struct Outlook {
        let night: Int
        let days: Int
        let baseline: CrashBaseline
        private(set) var total = 0.0
        private(set) var seen = 0.0
        private(set) var forecast = 0.0

        init?(_ series: [DayCount?], night: Int, days: Int) {
            let start = night - days + 1
            guard start >= HonestDrop.warmUp, let today = series[night], today.total > 0,
                let baseline = CrashBaseline(series, before: start)
            else { return nil }
            self.night = night
            self.days = days
            self.baseline = baseline
            for place in start...night {
                guard let day = series[place] else { continue }
                total += Double(day.total)
                seen += Double(day.crashed)
                forecast += baseline.expected(on: day, at: place)
            }
        }

        /// Small rises are no finding, however certain: fewer than three sessions, less than 0.05 points, less
        /// than a tenth of the rate.
        private var matters: Bool {
            let base = forecast / total
            return seen - forecast >= 3 && (seen - forecast) / total >= max(0.0005, 0.1 * base)
        }

        func finding(_ dispersion: OwnDispersion, share: Double) -> DropFinding? {
            guard matters,
                let counts = CountDistribution(
                    mean: forecast, dispersion: dispersion.value(forecast: forecast)),
                let deviate = normalQuantile(upperLog: counts.logMidP(above: Int(seen)))
            else { return nil }
            let tail = studentTails(min(deviate, 37), freedom: 20).logUpper
            let score = -(tail - log(share)) / log(10)
            return DropFinding(
                day: night, window: days, score: score, share: seen / total, expected: forecast / total,
                rise: rise)
        }

        private var rise: Interval? {
            ProportionPair(
                later: (Int(seen), Int(total)), earlier: (Int(baseline.crashed), Int(baseline.total))
            ).flatMap { newcombeInterval(of: $0) }
        }
    }
}
