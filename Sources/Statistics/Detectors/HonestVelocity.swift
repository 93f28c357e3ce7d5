private import Glibc

/// An issue that spreads faster than its own past and the app's record explain.
package struct VelocityFinding: Hashable, Sendable {
    /// The place of the hour in the series.
    package let hour: Int
    /// The place of the issue.
    package let issue: Int
    /// The hours that were put together: 1, 2 or 4, the last one being `hour`.
    package let window: Int
    /// How surprising it is: minus log₁₀ of a p-value shared among issues and windows.
    package let score: Double
    /// What the score had to exceed.
    package let bar: Double
    /// Sessions that met the issue in the window.
    package let affected: Int
    /// Sessions in the window.
    package let sessions: Int
    /// The share of sessions that was to be expected, in 0…1.
    package let expected: Double
}

/// Finds issues whose share of sessions rises within hours.
///
/// Counts against a negative binomial forecast from the issue's own 504 hours; the bar is the app's own record
/// of the best score in as long a time. A record among exchangeable hours is rare whatever the law of their
/// noise, so no constant of the noise is needed.
package struct HonestVelocity: Hashable, Sendable {
    /// The least score that is reported, whatever the record.
    package var floor: Double
    /// By what factor the record must be beaten.
    package var margin: Double

    /// The standard bar, or another.
    package init(floor: Double = 2, margin: Double = 1.3) {
        self.floor = floor
        self.margin = margin
    }

    /// False reports in a year of one app with the standard bar, as measured on made-up series in which
    /// nothing harmful happens.
    package static let falseReportsPerYear = 4.0

    private static let windows: [(hours: Int, share: Double)] = [(1, 0.6), (2, 0.2), (4, 0.2)]
    /// The hours of history before the first forecast.
    private static let warmUp = 168
    /// The hours before the first report: the record needs some length too.
    private static let firstReport = 336

    /// The hours and issues that are reported, in order.
    package func findings(in series: HourlyIssues) -> [VelocityFinding] {
        let view = HourlyView(series)
        var record = OwnRecord(
            floor: floor, margin: margin, span: IssueRecord.hours, lag: IssueRecord.lag, alarmSteps: 24,
            alarmCut: 1.5)
        var findings: [VelocityFinding] = []
        for hour in series.sessions.indices {
            let bar = record.bar
            let candidates = hour < Self.warmUp ? [] : view.candidates(at: hour, bar: bar)
            let reported = hour < Self.firstReport ? [] : candidates.filter { $0.score > bar }
            findings += reported
            record.take(candidates.map(\.score).max() ?? 0, reported: !reported.isEmpty)
        }
        return findings
    }

    /// The series and the sums over it.
    private struct HourlyView {
        let series: HourlyIssues
        let sessions: RunningSums
        let squaredSessions: RunningSums
        let records: [IssueRecord]

        init(_ series: HourlyIssues) {
            self.series = series
            let hourly = series.sessions.map { Double($0 ?? 0) }
            sessions = RunningSums(hourly)
            squaredSessions = RunningSums(hourly.lazy.map { $0 * $0 })
            records = series.affected.map { IssueRecord($0, sessions: hourly) }
        }

        /// Every issue's most surprising window at an hour, where it passes the floors.
        func candidates(at hour: Int, bar: Double) -> [VelocityFinding] {
            let active = Double(series.affected.count { $0[hour] > 0 })
            return records.indices.compactMap { issue in
                guard series.affected[issue][hour] > 0 else { return nil }
                let outlook = records[issue].outlook(
                    at: hour, sessions: sessions, squaredSessions: squaredSessions)
                return windows.compactMap { hours, share in
                    let span = (hour - hours + 1)..<(hour + 1)
                    let (seen, total) = (records[issue].affected.over(span), sessions.over(span))
                    guard matters(seen, of: total, outlook),
                        let counts = outlook.counts(sessions: total, hours: hours),
                        let deviate = normalQuantile(upperLog: counts.logMidP(above: Int(seen)))
                    else { return nil }
                    let tail = studentTails(min(deviate, 37), freedom: 30).logUpper
                    return VelocityFinding(
                        hour: hour, issue: issue, window: hours,
                        score: -(tail + log(active / share)) / log(10),
                        bar: bar, affected: Int(seen), sessions: Int(total), expected: outlook.rate)
                }.max { $0.score < $1.score }
            }
        }

        /// At least five sessions, and a share surely above twice the usual and above 0.05 %.
        private func matters(_ seen: Double, of total: Double, _ outlook: IssueOutlook) -> Bool {
            guard seen >= 5, total > 0,
                let interval = wilsonInterval(successes: Int(min(seen, total)), of: Int(total))
            else { return false }
            return interval.lower > max(2 * outlook.rate, 0.0005)
        }
    }
}
