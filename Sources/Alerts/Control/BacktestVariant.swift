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
        BacktestVariant("points 0.25", StabilityDrop(points: 0.25)),
        BacktestVariant("points 1", StabilityDrop(points: 1)),
        BacktestVariant("points 2", StabilityDrop(points: 2)),
        BacktestVariant("minimumSample 1000", StabilityDrop(minimumSample: 1000)),
        BacktestVariant("percent 0.5", IssueVelocity(percent: 0.5)),
        BacktestVariant("percent 2", IssueVelocity(percent: 2)),
        BacktestVariant("percent 5", IssueVelocity(percent: 5)),
        BacktestVariant("minimumUsers 100", IssueVelocity(minimumUsers: 100)),
    ]
}

/// A rule that can say how often it speaks by chance alone.
package protocol StatesFalseAlarms {
    /// How many alerts of one app in a year are to be expected by chance alone, at most.
    var falseAlarmsPerYear: Double { get }
}

extension StabilityDrop: StatesFalseAlarms {
    /// At most 1.02: two 95 % intervals of equal width lie apart, on one given side, with probability
    /// Φ(−1.96 √2) = 0.0028 when both rates are the same and users crash independently. The least fall makes it
    /// fewer; whatever moves whole days, more.
    package var falseAlarmsPerYear: Double { 1.02 }
}
