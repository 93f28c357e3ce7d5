/// One way to find events in a history; two with the same settings are equal.
package protocol Rule: Hashable, Sendable {
    /// A stable name, part of the ids of its events.
    static var id: String { get }
    /// What kind of event it finds.
    static var kind: EventKind { get }
    /// What it finds, in any order.
    func events(in index: HistoryIndex) -> [Event]
    /// What a day must have for the rule to say anything of it.
    static var needs: RuleNeed { get }
    /// The alerts that it raised of which it can still say whether they are supported: it needs a past to judge a day
    /// by, which a source that was replaced takes along.
    func judged(in index: HistoryIndex) -> JudgedAlerts
}

/// What a day must have for a rule to say anything of it.
package enum RuleNeed: Sendable, CaseIterable {
    /// A rate.
    case rate
    /// All crashes, of an app without a rate.
    case crashes
    /// Any issue, or that there was none.
    case issues
    /// How much the app was used.
    case use
    /// Nothing.
    case nothing
}

extension Rule {
    package static var needs: RuleNeed { .nothing }

    /// Those of all days with data.
    package func judged(in index: HistoryIndex) -> JudgedAlerts {
        JudgedAlerts(from: index.days.first, in: index)
    }
}

/// The rules that run on every app: the list is the registry.
package let standardRules: [any Rule] = [
    StabilityRule(), CrashCountRule(), RecoveryRule(), IssueVelocityRule(), UsageAnomalyRule(),
    TopIssuesRule(), NewIssueRule(),
    RegressedIssueRule(), NewNoteRule(), SourceFailureRule(), SourceIdleRule(), ReleaseVerdictRule(),
]

/// Everything the rules find, newest first; events of one instant are ordered by id.
package func events(in index: HistoryIndex, rules: [any Rule] = standardRules) -> [Event] {
    distinct(rules.flatMap { index.events(of: $0) }).sorted(by: isNewer)
}

/// The order of events: newest first, then by id.
func isNewer(_ first: Event, _ second: Event) -> Bool {
    let (left, right) = (first.occasion, second.occasion)
    return left.at != right.at ? left.at > right.at : left.id < right.id
}
