private import Platform

/// Finds days on which an app was used much more or much less than usual.
///
/// Logarithms against the median of the same weekday of four weeks and the median drift of 14 days; the scale
/// from the median absolute residual of 56 days; tails of Student's t with 10 degrees. The bar is the
/// record of the app's own days. Counts that are approximate miss by their relative standard error, and so does what
/// is usual: the squares of both are added to the scale.
package struct UsageAnomalyDetector: Hashable, Sendable {
    /// The least score that is reported, whatever the record.
    package var floor: Double
    /// By what factor the record must be beaten.
    package var margin: Double

    /// The standard bar, or another.
    package init(floor: Double = 1.5, margin: Double = 1.25) {
        self.floor = floor
        self.margin = margin
    }

    /// False reports in a year of one app with the standard bar, as measured on made-up series in which
    /// nothing harmful happens.
    package static let falseReportsPerYear = 0.9

    /// The days with a residual that are needed before the first report.
    package static let warmUp = 21
    /// The weeks before a day whose same weekdays say what is usual.
    private static let weeks = 4
    /// The first days of a series, which only teach.
    package static let firstDays = 7 * weeks + warmUp

    /// The days that are reported, in order; nil is a gap, zero a day without use.
    ///
    /// - Parameter deviation: The largest relative standard error of a count; 0 where all are exact.
    package func findings(in series: [Int?], deviation: Double = 0) -> [UsageFinding] {
        var changes: [Double?] = []
        var residuals: [Double?] = []
        var findings: [UsageFinding] = []
        var record = AdaptiveThreshold(
            floor: floor, margin: margin, span: 182, lag: 7, alarmSteps: 14, alarmCut: 1.1)
        for (day, count) in series.enumerated() {
            let usual = median(
                (1...Self.weeks).compactMap { day >= 7 * $0 ? level(series[day - 7 * $0]) : nil })
            let drift = median(changes.suffix(14).compactMap { $0 })
            let past = residuals.suffix(56).compactMap { $0 }
            changes.append(nil)
            residuals.append(nil)
            guard let count, let level = level(count), let usual else { continue }
            changes[day] = level - usual
            guard let drift else { continue }
            let residual = level - usual - drift
            residuals[day] = residual
            guard past.count >= Self.warmUp else { continue }
            let expected = exp(usual + drift)
            let scale = scale(past: past, expected: expected, deviation)
            let score = score(residual, scale: scale)
            let isReported = score > record.bar
            record.add(score, reported: isReported)
            guard isReported else { continue }
            findings.append(
                UsageFinding(
                    day: day, score: score, count: count, expected: expected,
                    range: Self.range(about: expected, scale: scale)))
        }
        return findings
    }

    /// The logarithm of a count, where a day without use is half a session above nothing.
    private func level(_ count: Int?) -> Double? {
        count.flatMap { $0 >= 0 ? log(max(Double($0), 0.5)) : nil }
    }

    /// The deviation of a day's logarithm that the app's own days show.
    private func scale(past: [Double], expected: Double, _ deviation: Double) -> Double {
        let spread = 1.4826 * (median(past.map { abs($0) }) ?? 0)
        let variance = (56 * spread * spread + 10 * 0.05 * 0.05) / 66 + 0.25 / max(expected, 0.5)
        return (variance + 2 * deviation * deviation).squareRoot()
    }

    private func score(_ residual: Double, scale: Double) -> Double {
        -(studentTails(abs(residual) / scale, freedom: 10).logUpper + log(2)) / log(10)
    }

    private static func range(about expected: Double, scale: Double) -> Interval {
        let reach = scale * (studentQuantile(Tails(upper: 0.025), freedom: 10) ?? 0)
        return Interval(lower: expected * exp(-reach), upper: expected * exp(reach))
    }
}
