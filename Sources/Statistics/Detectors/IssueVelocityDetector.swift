private import Glibc

/// Finds issues whose share of sessions rises within hours, or within days.
///
/// Counts against a negative binomial forecast from the issue's own past (504 hours, or 56 days); the bar is the
/// app's own record of the best score. A record among exchangeable steps is rare whatever the law of their
/// noise, so no constant of the noise is needed.
package struct IssueVelocityDetector: Hashable, Sendable {
    /// The least score that is reported, whatever the record.
    package var floor: Double
    /// By what factor the record must be beaten.
    package var margin: Double
    /// The steps of the series and how far back they are looked at.
    package var pace: VelocityPace

    /// The standard bar, or another.
    package init(floor: Double = 2, margin: Double = 1.3, pace: VelocityPace = .hourly) {
        self.floor = floor
        self.margin = margin
        self.pace = pace
    }

    /// The steps and issues that are reported, in order.
    package func findings(in series: IssueSeries) -> [VelocityFinding] {
        let view = StepView(series, pace: pace)
        var record = AdaptiveThreshold(
            floor: floor, margin: margin, span: pace.record, lag: pace.lag, alarmSteps: pace.alarm,
            alarmCut: 1.5)
        var findings: [VelocityFinding] = []
        for hour in series.sessions.indices {
            let bar = record.bar
            let candidates = hour < pace.warmUp ? [] : view.candidates(at: hour, bar: bar)
            let reported = hour < pace.firstReport ? [] : candidates.filter { $0.score > bar }
            findings += reported
            record.take(candidates.map(\.score).max() ?? 0, reported: !reported.isEmpty)
        }
        return findings
    }

    /// The series and the sums over it.
    private struct StepView {
        let series: IssueSeries
        let pace: VelocityPace
        let sessions: RunningSums
        let squaredSessions: RunningSums
        let records: [IssueRecord]

        init(_ series: IssueSeries, pace: VelocityPace) {
            self.series = series
            self.pace = pace
            let counts = series.sessions.map { Double($0 ?? 0) }
            sessions = RunningSums(counts)
            squaredSessions = RunningSums(counts.lazy.map { $0 * $0 })
            records = series.affected.map { IssueRecord($0, sessions: counts, pace: pace) }
        }

        /// Every issue's most surprising window at a step, where it passes the floors.
        func candidates(at hour: Int, bar: Double) -> [VelocityFinding] {
            let active = Double(series.affected.count { $0[hour] > 0 })
            return records.indices.compactMap { issue in
                guard series.affected[issue][hour] > 0 else { return nil }
                let outlook = records[issue].outlook(
                    at: hour, sessions: sessions, squaredSessions: squaredSessions)
                return pace.windows.compactMap { window in
                    let (steps, share) = (window.steps, window.share)
                    let span = (hour - steps + 1)..<(hour + 1)
                    let (seen, total) = (records[issue].affected.over(span), sessions.over(span))
                    guard seen < 1e15, matters(seen, of: total, outlook),
                        let counts = outlook.counts(sessions: total, steps: steps),
                        let deviate = normalQuantile(upperLog: counts.logMidP(above: Int(seen)))
                    else { return nil }
                    let tail = studentTails(min(deviate, 37), freedom: 30).logUpper
                    return VelocityFinding(
                        hour: hour, issue: issue, window: steps,
                        score: -(tail + log(active / share)) / log(10),
                        bar: bar, affected: Int(seen), sessions: Int(total), expected: outlook.rate,
                        past: Int(outlook.sessions))
                }.max { $0.score < $1.score }
            }
        }

        /// At least five sessions, and a share surely above twice the usual and above 0.05%.
        private func matters(_ seen: Double, of total: Double, _ outlook: IssueForecast) -> Bool {
            guard seen >= 5, total > 0, total < 1e15,
                let interval = wilsonInterval(successes: Int(min(seen, total)), of: Int(total))
            else { return false }
            return interval.lower > max(2 * outlook.rate, 0.0005)
        }
    }
}
