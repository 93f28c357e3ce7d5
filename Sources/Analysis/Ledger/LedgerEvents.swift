package import AppHealth

/// Everything the rules find, with the ids that the ledger gave, and the alerts that were withdrawn; newest
/// first.
///
/// - Parameter ledger: The alerts of the app that were raised, as the archive knows them.
package func events(
    in evidence: HistoryIndex, ledger: [LedgerEntry], rules: [any Rule] = standardRules
) -> [Event] {
    let found = events(in: evidence, rules: rules)
    // Nothing is written down here, so no words are needed.
    let reconciliation = reconcile(ledger, with: found, in: evidence, rules: rules) { _ in "" }
    let current = found.map { event in reconciliation.ids[event.occasion.id].map(event.renamed) ?? event }
    let changed = Set(reconciliation.revisions.map(\.id))
    let withdrawn =
        (ledger.filter { $0.state == .withdrawn && !changed.contains($0.id) } + reconciliation.withdrawn)
        .filter { $0.firstDay <= evidence.lastDay && !reconciliation.ids.values.contains($0.id) }
        .map { Event.withdrawn(WithdrawnAlert($0, app: evidence.app)) }
    return (current + withdrawn).sorted(by: isNewer)
}

/// Matches the events of an app with its ledger.
///
/// - Parameter sentence: The words in which the ledger keeps an alert that it does not know yet.
package func reconcile(
    _ ledger: [LedgerEntry], with events: [Event], in evidence: HistoryIndex,
    rules: [any Rule] = standardRules, sentence: (Event) -> String
) -> Reconciliation {
    let raisedAt = evidence.sources.compactMap(\.capturedAt).max() ?? evidence.asOf
    let days = evidence.days
    return reconcile(
        ledger,
        found: events.compactMap { $0.found(lastDay: evidence.lastDay(behind: $0), sentence: sentence) },
        raisedAt: raisedAt,
        judged: days.first.flatMap { first in days.last.map { first...$0 } },
        byRule: Dictionary(
            rules.compactMap { rule in rule.judged(in: evidence).map { (type(of: rule).id, $0) } },
            uniquingKeysWith: { first, _ in first }))
}

extension HistoryIndex {
    /// The last day that the figures behind an event reach: no alert ends because nothing was fetched.
    fileprivate func lastDay(behind event: Event) -> CivilDate {
        let isOfIssues = event.kind == .velocity || event.kind == .regressed
        let ofIssues = isOfIssues ? issues?.lastDayAtCapture : nil
        return min(lastDay, ofIssues ?? sources.compactMap(\.lastDayAtCapture).max() ?? lastDay)
    }
}

extension SourceHistory {
    /// The last day that was over when its newest figures were captured.
    fileprivate var lastDayAtCapture: CivilDate? { capturedAt.map(lastDayOver(at:)) }
}

extension Event {
    /// The event under another id, such as the permanent one of the ledger.
    func renamed(_ id: String) -> Event {
        var event = self
        event.occasion.id = id
        return event
    }
}
