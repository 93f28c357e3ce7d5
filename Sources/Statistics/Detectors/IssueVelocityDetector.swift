private import Platform

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
    /// The steps of the series and how far back they go.
    package var pace: VelocityPace

    /// The standard bar, or another.
    package init(floor: Double = 2, margin: Double = 1.3, pace: VelocityPace = .hourly) {
        self.floor = floor
        self.margin = margin
        self.pace = pace
    }

    /// The steps and issues that are reported, in order.
    ///
    /// - Parameter sampling: By what the sessions of each step were multiplied, where they are of a sample; 1 where they are
    ///   not. Empty where nothing is known. Where those of issues are multiples as well, the sample is judged.
    package func findings(in series: IssueSeries, sampling: [Double] = []) -> [VelocityFinding] {
        let samples = SampledIssues(series, factors: sampling, span: pace.history + pace.lag)
        return findings(inSamples: samples.series).map(samples.stated)
    }

    private func findings(inSamples series: IssueSeries) -> [VelocityFinding] {
        let view = StepView(series, pace: pace)
        var record = AdaptiveThreshold(
            floor: floor, margin: margin, span: pace.record, lag: pace.lag, alarmSteps: pace.alarm,
            alarmCut: 1.5,
            startingRecord: StartingRecord(score: pace.startingRecord, silentSteps: pace.warmUp))
        var findings: [VelocityFinding] = []
        for hour in series.sessions.indices {
            let bar = record.bar
            let candidates = hour < pace.warmUp ? [] : view.candidates(at: hour, bar: bar)
            let reported = hour < pace.firstReport ? [] : candidates.filter { $0.score > bar }
            findings += reported
            record.add(candidates.map(\.score).max() ?? 0, reported: !reported.isEmpty)
        }
        return findings
    }

    /// The series and the sums over it.
    private struct StepView {
        let series: IssueSeries
        let pace: VelocityPace
        let sessions: RunningSums
        let squaredSessions: RunningSums
        /// How many steps are known: a window with a gap would be said to be longer than it is.
        let knownSteps: RunningSums
        let records: [IssueRecord]
        /// The issues that met something in each step, in order.
        let active: [[Int32]]

        init(_ series: IssueSeries, pace: VelocityPace) {
            self.series = series
            self.pace = pace
            let counts = series.sessions.map { Double($0 ?? 0) }
            sessions = RunningSums(counts)
            squaredSessions = RunningSums(counts.lazy.map { $0 * $0 })
            knownSteps = RunningSums(series.sessions.lazy.map { $0 == nil ? 0 : 1 })
            records = series.rows.map { IssueRecord($0, sessions: counts, pace: pace) }
            var active = [[Int32]](repeating: [], count: counts.count)
            for (issue, row) in series.rows.enumerated() {
                for step in row.steps { active[Int(step)].append(Int32(issue)) }
            }
            self.active = active
        }

        /// Every issue's most surprising window at a step, where it passes the floors.
        func candidates(at hour: Int, bar: Double) -> [VelocityFinding] {
            let issues = active[hour]
            let active = Double(issues.count)
            return issues.lazy.map(Int.init).compactMap { issue in
                guard records[issue].knowsPast(of: hour, sessions: sessions) else { return nil }
                let outlook = records[issue].outlook(
                    at: hour, sessions: sessions, squaredSessions: squaredSessions)
                return pace.windows.compactMap { window in
                    let (steps, share) = (window.steps, window.share)
                    let span = (hour - steps + 1)..<(hour + 1)
                    guard knownSteps.over(span) == Double(steps) else { return nil }
                    let (seen, total) = (
                        records[issue].affected.over(span),
                        records[issue].sessions(over: span, of: sessions)
                    )
                    guard seen < 1e15, matters(seen, of: total, outlook),
                        let counts = outlook.counts(
                            sessions: total, steps: steps, deviation: series.deviation),
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

        /// At least five sessions, and a share surely above twice the usual and above 0.05%; of counts alone ten,
        /// and surely above twice the usual.
        private func matters(_ seen: Double, of total: Double, _ outlook: IssueForecast) -> Bool {
            if pace.exposure == .steps {
                guard seen >= 10, total > 0, let interval = countInterval(of: seen) else { return false }
                return interval.lower > 2 * outlook.rate * total
            }
            guard seen >= 5, total > 0, total < 1e15,
                let interval = wilsonInterval(successes: Int(min(seen, total)), of: Int(total))
            else { return false }
            let share = min(seen, total) / total
            let bounds = widened(interval, around: share, by: share * series.deviation)
            return bounds.lower > max(2 * outlook.rate * (1 + series.deviation), 0.0005)
        }
    }
}

/// In what steps a series of issues is counted and how far back a detector looks; all lengths are in steps.
package struct VelocityPace: Hashable, Sendable {
    /// Steps that are put together, and what share of the false alarms they are granted.
    package struct Window: Hashable, Sendable {
        /// How many steps.
        package let steps: Int
        /// Its share, in 0…1; those of all windows add up to one.
        package let share: Double
    }

    /// The windows in which an issue may be found.
    package let windows: [Window]
    /// How far back an issue's own rate looks.
    package let history: Int
    /// The steps before the present one that are skipped, so that a rise does not raise its own bar.
    package let lag: Int
    /// The steps before the first forecast.
    package let warmUp: Int
    /// The steps before the first report: the record needs some length too.
    package let firstReport: Int
    /// How far back the app's record looks.
    package let record: Int
    /// The least record until the app's own is as long as that; 0 where its own suffices, or where a series does not begin
    /// with the app's first step, as older ones are kept no longer: then each step moves toward the start as they go.
    ///
    /// By hours the record of the first week alone gave 7 to 12 false reports a year in the first days, twice what is
    /// stated; with this one no more than later, and of bursts of an issue 2 to 4 in 100 fewer are found in these weeks.
    package var startingRecord: Double
    /// How long an alarm lasts, within which scores are cut off.
    package let alarm: Int
    /// False reports in a year of one app with the standard bar, as measured on made-up series in which
    /// nothing harmful happens: by hours those that `SCORE.md` of the bench is about; by days series of a year
    /// and a half, as those are too short for more than a bound.
    package let falseReportsPerYear: Double
    /// What is known of how much the app was used.
    package var exposure = Exposure.sessions

    /// What counts of an issue are held against.
    package enum Exposure: Hashable, Sendable {
        /// The sessions of a step.
        case sessions
        /// Steps alone, as no sessions are known.
        case steps
    }

    /// Hours: three weeks of them, windows of one, two and four.
    package static let hourly = VelocityPace(
        windows: [Window(steps: 1, share: 0.6), Window(steps: 2, share: 0.2), Window(steps: 4, share: 0.2)],
        history: 504, lag: 7, warmUp: 168, firstReport: 336, record: 504, startingRecord: 2.2, alarm: 24,
        falseReportsPerYear: 4.0)

    /// Days: eight weeks of them, windows of one and three.
    package static let daily = VelocityPace(
        windows: [Window(steps: 1, share: 0.6), Window(steps: 3, share: 0.4)],
        history: 56, lag: 3, warmUp: 21, firstReport: 28, record: 182, startingRecord: 0, alarm: 7,
        falseReportsPerYear: 0.3)

    /// The same days where sessions are not known: counts against the issue's own counts.
    package static let dailyCounts = VelocityPace(
        windows: daily.windows, history: daily.history, lag: daily.lag, warmUp: daily.warmUp,
        firstReport: daily.firstReport, record: daily.record, startingRecord: daily.startingRecord,
        alarm: daily.alarm, falseReportsPerYear: 0.5, exposure: .steps)

    /// The steps that must be known before a step to forecast it, where sessions are not.
    var leastKnownSteps: Double { exposure == .steps ? 14 : 0 }
    /// The sessions that are added to those of the past, so that few of them make no certain rate.
    var addedSessions: Double { exposure == .steps ? 0 : 500 }
}
