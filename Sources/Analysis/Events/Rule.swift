package import AppHealth

/// One way to find events in the evidence.
package protocol Rule: Sendable {
    /// A stable name, part of the ids of its events.
    static var id: String { get }
    /// What kind of event it finds.
    static var kind: EventKind { get }
    /// What it finds, in any order.
    func events(in evidence: HistoryIndex) -> [Event]
    /// The days for which it can still say what it once said; nil when these are all days of the evidence.
    func judged(in evidence: HistoryIndex) -> ClosedRange<CivilDate>?
}

extension Rule {
    /// All days.
    package func judged(in evidence: HistoryIndex) -> ClosedRange<CivilDate>? { nil }
}

/// The rules that run on every app: the list is the registry.
package let standardRules: [any Rule] = [
    StabilityRule(), RecoveryRule(), IssueVelocityRule(), UsageAnomalyRule(), TopIssuesRule(), NewIssueRule(),
    RegressedIssueRule(), NewNoteRule(), SourceFailureRule(), ReleaseVerdictRule(),
]

/// Everything the rules find, newest first; events of one instant are ordered by id.
package func events(in evidence: HistoryIndex, rules: [any Rule] = standardRules) -> [Event] {
    rules.flatMap { $0.events(in: evidence) }.sorted(by: isNewer)
}

/// The order of events: newest first, then by id.
func isNewer(_ first: Event, _ second: Event) -> Bool {
    let (left, right) = (first.occasion, second.occasion)
    return left.at != right.at ? left.at > right.at : left.id < right.id
}
