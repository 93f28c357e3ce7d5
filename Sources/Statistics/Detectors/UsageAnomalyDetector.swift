private import Platform

/// Finds days on which an app was used much more or much less than usual.
///
/// Logarithms against the median of the same weekday of four weeks and the median drift of 14 days, no further than the
/// scale from the level of the last week; after a change that level itself, and what was before it. The scale is from the
/// median absolute residual of 56 days; tails of Student's t with 10 degrees. Of a few users a day the tails are those of
/// a negative binomial count: the logarithm of a small count is far off by chance alone. The bar is the record of the
/// app's own days. Counts that are approximate miss by their relative standard error, and so does what is usual: the
/// squares of both are added to the scale.
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
    /// The first days of a series, which only teach.
    package static let firstDays = 7 * WeeklyLevel.weeks + warmUp

    /// The days that are reported, in order; nil is a gap, zero a day without use.
    ///
    /// - Parameter deviation: The largest relative standard error of a count; 0 where all are exact.
    package func findings(in series: [Int?], deviation: Double = 0) -> [UsageFinding] {
        var (past, residuals, findings) = (UsagePast(), [Double?](), [UsageFinding]())
        var change: ReportedUsageChange?
        var record = AdaptiveThreshold(
            floor: floor, margin: margin, span: 182, lag: 7, alarmSteps: 14, alarmCut: 1.1,
            startingRecord: StartingRecord(score: Self.usualRecord))
        for (day, count) in series.enumerated() {
            let misses = residuals.suffix(56).compactMap { $0 }
            let weekly = past.weekly
            if change?.isUsual(by: day) == true { change = nil }
            let isSteady = change == nil
            let recent = past.expected(weekly) {
                isSteady ? self.scale(of: misses, expected: exp($0), deviation) : 0
            }
            let level = level(count)
            past.add(level)
            residuals.append(nil)
            guard let count, let level, let recent else { continue }
            let usual = change?.expected(on: day, recent: recent, of: level) ?? recent
            residuals[day] = level - usual
            guard misses.count >= Self.warmUp, day >= Self.firstDays else { continue }
            let bar = record.bar
            func finding(_ usual: Double) -> UsageFinding {
                let scale = scale(of: misses, expected: exp(usual), deviation)
                return UsageFinding(
                    day: day, score: score(of: count, at: level, usual: usual, scale: scale), count: count,
                    expected: exp(usual),
                    range: Self.range(about: exp(usual), scale: scale))
            }
            let found = finding(usual)
            let isReported = found.score > bar
            record.add(found.score, reported: isReported)
            if isReported {
                findings.append(found)
                change = change ?? weekly.map { ReportedUsageChange(from: day, before: $0) }
            } else if let going = change?.reported(on: day).map(finding), going.score > bar {
                findings.append(going)
            }
            if let over = change?.add(day, usual: usual, isReported: isReported) {
                past.remove(over)
                change = nil
            }
        }
        return findings
    }

    /// The logarithm of a count, where a day without use is half a session above nothing.
    private func level(_ count: Int?) -> Double? {
        count.flatMap { $0 >= 0 ? log(max(Double($0), 0.5)) : nil }
    }

    /// The deviation of a day's logarithm that the app's own days show.
    private func scale(of misses: [Double], expected: Double, _ deviation: Double) -> Double {
        let spread = 1.4826 * (median(misses.map { abs($0) }) ?? 0)
        let variance =
            (56 * spread * spread + 10 * Self.leastScale * Self.leastScale) / 66 + 0.25 / max(expected, 0.5)
        return (variance + 2 * deviation * deviation).squareRoot()
    }

    /// How surprising a count is, in either direction.
    private func score(of count: Int, at level: Double, usual: Double, scale: Double) -> Double {
        let (expected, variance) = (exp(usual), scale * scale)
        let deviate =
            expected < Self.few
            ? chanceDeviate(of: count, expected: expected, variance: variance) : abs(level - usual) / scale
        return -(studentTails(deviate, freedom: 10).logUpper + log(2)) / log(10)
    }

    /// How far a count is from what is expected, as a deviate of the normal distribution with the same tail.
    ///
    /// - Parameter variance: That of its logarithm, of which chance makes 1 ÷ expected.
    private func chanceDeviate(of count: Int, expected: Double, variance: Double) -> Double {
        let dispersion = max(Self.leastScale * Self.leastScale, variance - 1 / expected)
        guard let counts = CountDistribution(mean: max(expected, 0.5), dispersion: dispersion) else {
            return 0
        }
        let above = counts.logMidP(above: count)
        // The mid-p value of a low count is what that of a high one lacks to 1.
        let tail = min(above, log(max(0, -expm1(above))))
        return normalQuantile(upperLog: max(tail, -700)).map { max(0, $0) } ?? 0
    }

    /// About the record of half a year of quiet days: until so many are known, that of the few there are is soon beaten.
    private static let usualRecord = 1.7
    /// Below so many expected users a day is judged as a count.
    private static let few = 30.0
    /// The least deviation of a day's logarithm that is not chance.
    private static let leastScale = 0.05

    /// What 95 of 100 days keep to; it is needed for each day.
    private static let quantile = studentQuantile(Tails(upper: 0.025), freedom: 10) ?? 0

    private static func range(about expected: Double, scale: Double) -> Interval {
        let reach = scale * quantile
        return Interval(lower: expected * exp(-reach), upper: expected * exp(reach))
    }
}
