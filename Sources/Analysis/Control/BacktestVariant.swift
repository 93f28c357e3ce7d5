package import AppHealth
import Statistics

/// A rule with the least level from which its events are reported.
package struct BacktestVariant: Sendable {
    /// `standard`, or what `plimsoll.yml` would have: `leastPoints 0.5`.
    package let name: String
    /// The rule.
    package let rule: any Rule
    /// How grave an event must be; a figure that is not known keeps none away.
    package let least: AlertLevel

    /// Makes a variant.
    package init(_ name: String, _ rule: any Rule, least: AlertLevel = AlertLevel()) {
        self.name = name
        self.rule = rule
        self.least = least
    }

    /// Whether it is a rule as every report runs it.
    package var isStandard: Bool { name == Self.standardName }

    /// The name of a rule as every report runs it.
    package static let standardName = "standard"
}

extension Backtest {
    /// Every rule as reports run it, each followed by least levels that `plimsoll.yml` may set for it.
    package static let variants: [BacktestVariant] = standardRules.flatMap { rule in
        [BacktestVariant(BacktestVariant.standardName, rule)]
            + levels(of: rule).map { BacktestVariant($0.text, rule, least: $0) }
    }

    /// The least levels that are tried.
    private static func levels(of rule: any Rule) -> [AlertLevel] {
        switch type(of: rule).id {
        case StabilityRule.id: [0.25, 0.5, 1].map { AlertLevel(points: $0) }
        case CrashCountRule.id: [50, 100].map { AlertLevel(share: $0) }
        case IssueVelocityRule.id:
            [2, 5].map { AlertLevel(share: $0) } + [50, 100].map { AlertLevel(users: $0) }
        case UsageAnomalyRule.id: [20, 40].map { AlertLevel(share: $0) }
        case NewIssueRule.id, RegressedIssueRule.id: [10, 100].map { AlertLevel(users: $0) }
        default: []
        }
    }
}

extension AlertLevel {
    /// `leastShare 2`, as `plimsoll.yml` has it.
    fileprivate var text: String {
        let values: [(Measure, Double?)] = [
            (.users, users.map(Double.init)), (.share, share), (.points, points),
        ]
        return values.compactMap { measure, value in
            value.map { $0 == $0.rounded() ? "\(measure.leastKey) \(Int($0))" : "\(measure.leastKey) \($0)" }
        }.joined(separator: ", ")
    }
}

/// A rule that can say how often it speaks by chance alone.
package protocol StatesFalseAlarms {
    /// About how many alerts of an app in a year are to be expected by chance alone, at the pace of its days since one.
    func falseAlarmsPerYear(in index: HistoryIndex, since first: CivilDate) -> Double
}

extension StabilityRule: StatesFalseAlarms {
    package func falseAlarmsPerYear(in _: HistoryIndex, since _: CivilDate) -> Double {
        Self.falseAlarmsPerYear
    }
}

extension CrashCountRule: StatesFalseAlarms {
    package func falseAlarmsPerYear(in _: HistoryIndex, since _: CivilDate) -> Double {
        CrashCountDetector.falseReportsPerYear
    }
}

extension UsageAnomalyRule: StatesFalseAlarms {
    package func falseAlarmsPerYear(in _: HistoryIndex, since _: CivilDate) -> Double {
        Self.falseAlarmsPerYear
    }
}

extension IssueVelocityRule: StatesFalseAlarms {}
