package import AppHealth
package import Statistics

/// What a rule that holds days against their own past goes by.
package struct DetectorFacts: Hashable, Codable, Sendable {
    /// The days, or hours, that are put together.
    package let windows: [Int]
    /// The days of the past behind the expectation.
    package let history: Int
    /// The factor by which the record must be exceeded.
    package let margin: Double
    /// The least score.
    package let floor: Double
    /// The days of history that are needed.
    package let firstDays: Int
    /// About how many false alarms a year chance alone brings.
    package let falseAlarmsPerYear: Double
}

extension StabilityRule {
    /// What it goes by.
    package var facts: DetectorFacts {
        DetectorFacts(
            windows: CrashRateDropDetector.windowDays, history: Self.history, margin: detector.margin,
            floor: detector.floor, firstDays: CrashRateDropDetector.warmUp,
            falseAlarmsPerYear: Self.falseAlarmsPerYear)
    }

    /// The days of the past behind the expectation.
    package static let history = CrashRateDropDetector.baselineDays
    /// The days of history before the first alert.
    package static let firstDays = CrashRateDropDetector.warmUp
    /// Which part of the sessions or users of a day each of them must have had, in 0…1.
    package static let leastUse = CrashRateDropDetector.leastUse
    /// About how many false alarms a year chance alone brings.
    package static let falseAlarmsPerYear = CrashRateDropDetector.falseReportsPerYear
}

extension CrashCountRule {
    /// What it goes by.
    package var facts: DetectorFacts {
        DetectorFacts(
            windows: CrashRateDropDetector.windowDays, history: StabilityRule.history,
            margin: detector.margin,
            floor: detector.floor, firstDays: CrashRateDropDetector.warmUp,
            falseAlarmsPerYear: CrashCountDetector.falseReportsPerYear)
    }

    /// How many more crashes than expected a rise must be at least.
    package static let leastRise = CrashCountDetector.leastRise
    /// How many times as many as expected they must be at least.
    package static let leastRatio = CrashCountDetector.leastRatio
}

extension IssueVelocityRule {
    /// What it goes by over days where no sessions are known.
    package var countedFacts: DetectorFacts { DetectorFacts(counted) }

    /// False alarms by days in a year of one app with some 300 to 3,000 sessions and 1 to 12 crashes a day: more than
    /// apps of all sizes have on average, as measured on apps in which nothing but chance happens.
    package static let mostFalseAlarmsPerYear = 1.0

    /// What it goes by over days.
    package var dailyFacts: DetectorFacts { DetectorFacts(daily) }

    /// What it goes by over hours.
    package var hourlyFacts: DetectorFacts { DetectorFacts(hourly) }
}

extension DetectorFacts {
    fileprivate init(_ detector: IssueVelocityDetector) {
        self.init(
            windows: detector.pace.windows.map(\.steps), history: detector.pace.history,
            margin: detector.margin, floor: detector.floor, firstDays: detector.pace.warmUp,
            falseAlarmsPerYear: detector.pace.falseReportsPerYear)
    }
}

extension UsageAnomalyRule {
    /// What it goes by.
    package var facts: DetectorFacts {
        DetectorFacts(
            windows: [1], history: UsageAnomalyDetector.firstDays, margin: detector.margin,
            floor: detector.floor, firstDays: UsageAnomalyDetector.firstDays,
            falseAlarmsPerYear: Self.falseAlarmsPerYear)
    }

    /// About how many false alarms a year chance alone brings.
    package static let falseAlarmsPerYear = UsageAnomalyDetector.falseReportsPerYear
}

extension DropFinding {
    /// How much the crash-free rate changed, in −1…0.
    package var change: Double { -size }

    /// The 95% interval of that change; nil when it is not known.
    package var changeInterval: Interval? { rise.map { Interval(lower: -$0.upper, upper: -$0.lower) } }

    /// The 95% interval of the crashed share above the expected one.
    package var riseInterval: Interval? { rise }

    /// The crash-free rate that was to be expected, in 0…1.
    package var expectedCrashFree: Double { 1 - min(expected, 1) }

    /// The crashed share of the window.
    package var crashedShare: Fraction? { Fraction(crashed, of: total, deviation: deviations?.window) }
}

extension VelocityFinding {
    /// The events that were to be expected.
    package var expectedEvents: Double { expected * Double(sessions) }

    /// How many times as many there were; of less than half an expected event, as of half a one.
    package var ratio: Double { Double(affected) / max(expectedEvents, 0.5) }
}
