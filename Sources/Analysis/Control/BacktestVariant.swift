import Statistics

/// A rule with the settings under which it is tried.
package struct BacktestVariant: Sendable {
    /// `standard`, or what differs: `points 0.25`.
    package let name: String
    /// The rule.
    package let rule: any Rule

    /// Makes a variant.
    package init(_ name: String, _ rule: any Rule) {
        self.name = name
        self.rule = rule
    }

    /// Whether it is a rule as every report runs it.
    package var isStandard: Bool { name == Self.standardName }

    /// The name of a rule as every report runs it.
    package static let standardName = "standard"
}

extension Backtest {
    /// Every rule as reports run it, each followed by a few other thresholds.
    package static let variants: [BacktestVariant] = standardRules.flatMap { rule in
        [BacktestVariant(BacktestVariant.standardName, rule)]
            + others.filter { type(of: $0.rule).id == type(of: rule).id }
    }

    /// The other thresholds that are tried.
    private static let others: [BacktestVariant] = [
        BacktestVariant("floor 1.5", StabilityRule(detector: CrashRateDropDetector(floor: 1.5))),
        BacktestVariant("floor 3", StabilityRule(detector: CrashRateDropDetector(floor: 3))),
        BacktestVariant("margin 1.5", StabilityRule(detector: CrashRateDropDetector(margin: 1.5))),
        BacktestVariant("percent 0.5", IssueVelocityRule(percent: 0.5)),
        BacktestVariant("percent 2", IssueVelocityRule(percent: 2)),
        BacktestVariant("percent 5", IssueVelocityRule(percent: 5)),
        BacktestVariant("minimumUsers 100", IssueVelocityRule(minimumUsers: 100)),
        BacktestVariant("margin 2", UsageAnomalyRule(detector: UsageAnomalyDetector(margin: 2))),
    ]
}

/// A rule that can say how often it speaks by chance alone.
package protocol StatesFalseAlarms {
    /// About how many alerts of one app in a year are to be expected by chance alone.
    var falseAlarmsPerYear: Double { get }
}

extension StabilityRule: StatesFalseAlarms {
    package var falseAlarmsPerYear: Double { CrashRateDropDetector.falseReportsPerYear }
}

extension CrashCountRule: StatesFalseAlarms {
    package var falseAlarmsPerYear: Double { CrashCountDetector.falseReportsPerYear }
}

extension UsageAnomalyRule: StatesFalseAlarms {
    package var falseAlarmsPerYear: Double { UsageAnomalyDetector.falseReportsPerYear }
}

extension IssueVelocityRule: StatesFalseAlarms {
    package var falseAlarmsPerYear: Double { daily.pace.falseReportsPerYear }
}
