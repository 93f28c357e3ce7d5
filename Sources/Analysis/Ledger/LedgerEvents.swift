package import AppHealth

/// Everything the rules find, with the ids that the ledger gave, the alerts that were withdrawn, and those that cannot be
/// judged any more, as they were raised; newest first.
///
/// - Parameter ledger: The alerts of the app that were raised, as the archive knows them.
package func events(
    in index: HistoryIndex, ledger: [LedgerEntry], rules: [any Rule] = standardRules
) -> [Event] {
    let found = events(in: index, rules: rules)
    // Nothing is written down here, so no words are needed.
    let reconciliation = reconcile(ledger, with: found, in: index, rules: rules) { _ in "" }
    let entries = ledger.updated(with: reconciliation.revisions)
    let byID = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let current = found.filter { !reconciliation.hidden.contains($0.occasion.id) }.map { event in
        guard let entry = reconciliation.ids[event.occasion.id].flatMap({ byID[$0] }) else { return event }
        // What is announced once stays in its place.
        guard event.kind == .releaseVerdict else { return event.named(by: entry, in: index) }
        return event.placed(index.occasion(of: entry))
    }
    let shown = reconciliation.shown
    let kept = entries.filter { $0.firstDay <= index.lastDay && !shown.contains($0.id) }
    let kinds = Dictionary(
        rules.map { (type(of: $0).id, type(of: $0).kind) }, uniquingKeysWith: { first, _ in first })
    let withdrawn = kept.filter { $0.state == .withdrawn }.map {
        Event.withdrawn(WithdrawnAlert($0, in: index))
    }
    let earliest = index.lastDay.advanced(by: 1 - HistoryIndex.longestSpan)
    let standing = Dictionary(grouping: entries.filter { $0.state != .withdrawn }, by: \.subject)
    let asRaised = kept.filter {
        $0.state != .withdrawn && reconciliation.asRaised.contains($0.id) && $0.firstDay >= earliest
            && !$0.isPart(ofAnyOf: standing[$0.subject] ?? [])
    }
    let raised = asRaised.compactMap { entry -> Event? in
        kinds[entry.rule].map { .raised(RaisedAlert(entry, kind: $0, in: index)) }
    }
    return (current + withdrawn + raised).sorted(by: isNewer)
}

/// Matches the events of an app with its ledger.
///
/// - Parameter sentence: The words in which the ledger keeps an alert that it does not know yet.
package func reconcile(
    _ ledger: [LedgerEntry], with events: [Event], in index: HistoryIndex,
    rules: [any Rule] = standardRules, sentence: (Event) -> String
) -> Reconciliation {
    let asRaised = AlertsAsRaised(ledger, in: index, rules)
    let isReported = events.filter { !asRaised.haveReported($0, in: index) }
    func matched(_ events: [Event]) -> Reconciliation {
        reconcile(
            ledger,
            found: events.compactMap {
                $0.found(lastDay: index.lastDay(behind: $0, rules), sentence: sentence)
            },
            raisedAt: index.sources.compactMap(\.capturedAt).max() ?? index.asOf,
            asRaised: asRaised.ids)
    }
    var result = matched(isReported)
    // An alert that goes on as it was raised is not over by a past that holds itself.
    let days = Set(
        isReported.filter { $0.kind == .stability && result.hidden.contains($0.occasion.id) }.map(
            \.occasion.day))
    let isOver: (Event) -> Bool = { event in
        if case .recovery(let recovery) = event { days.contains(recovery.alertDay) } else { false }
    }
    if isReported.contains(where: isOver) { result = matched(isReported.filter { !isOver($0) }) }
    let reported = Set(isReported.map(\.occasion.id))
    result.hidden.formUnion(events.map(\.occasion.id).filter { !reported.contains($0) })
    result.hidden.formUnion(isReported.filter(isOver).map(\.occasion.id))
    return result
}

/// The alerts of a ledger that the data of now cannot judge.
private struct AlertsAsRaised {
    /// Their ids.
    let ids: Set<String>
    /// The alerts of issues that are not withdrawn, judged or not, by subject.
    private let ofIssues: [String: [LedgerEntry]]
    private let velocity: IssueVelocityRule?
    private let judgedVelocity: JudgedPeriods
    private let hasLedger: Bool

    init(_ ledger: [LedgerEntry], in index: HistoryIndex, _ rules: [any Rule]) {
        var judged: [String: JudgedPeriods] = [:]
        velocity = rules.lazy.compactMap { $0 as? IssueVelocityRule }.first
        let needed = ledger.isEmpty ? [] : Set(ledger.map(\.rule) + [IssueVelocityRule.id])
        for rule in rules where needed.contains(type(of: rule).id) {
            judged[type(of: rule).id] = JudgedPeriods(by: rule, in: index)
        }
        let kept = ledger.filter { judged[$0.rule]?.contains($0) != true }
        ids = Set(kept.map(\.id))
        ofIssues = Dictionary(
            grouping: ledger.filter { $0.rule == IssueVelocityRule.id && $0.state != .withdrawn },
            by: \.subject)
        judgedVelocity = judged[IssueVelocityRule.id] ?? JudgedPeriods()
        hasLedger = !ledger.isEmpty
    }

    /// Whether an event needs no report, as an earlier run judged its hours by a longer past, or reported its issue.
    func haveReported(_ event: Event, in index: HistoryIndex) -> Bool {
        // What no run judged yet is news, however old.
        guard hasLedger, let velocity, case .velocity(let alert) = event else { return false }
        let (judged, index) = judgedVelocity.period(of: event.occasion.day) ?? (.none, index)
        let entries = ofIssues[event.occasion.subject] ?? []
        let isJudgedAgain = velocity.isJudgedAgain(alert, judged, in: index)
        // One by days is not the one that was raised by hours.
        let isOther: (LedgerEntry) -> Bool = { entry in
            isJudgedAgain && !alert.isByHours && !entry.isAsLarge(as: alert.share?.value)
        }
        if entries.contains(where: { $0.days.contains(event.occasion.day) && !isOther($0) }) { return false }
        // Hours that found the issue as a whole, and went since, kept its versions from being reported.
        let ofAllVersions = ofIssues[IssueSubject(alert.issue.id, in: nil).text] ?? []
        return isJudgedAgain
            || entries.contains {
                ids.contains($0.id) && velocity.isRepeated(alert, after: $0, in: index)
            }
            || ofAllVersions.contains { ids.contains($0.id) && !velocity.isNews(alert, after: $0) }
    }
}

/// The alerts of the ledger that a rule can judge: each by what the sources of its days have.
private struct JudgedPeriods {
    private var periods: [(period: SourcePeriod, judged: JudgedAlerts)] = []

    /// None.
    init() {}

    init(by rule: any Rule, in index: HistoryIndex) {
        periods = index.periods(ofRule: type(of: rule).id).map { ($0, rule.judged(in: $0.index)) }
    }

    /// What can be judged of the time around a day, and by what.
    func period(of day: CivilDate) -> (judged: JudgedAlerts, index: HistoryIndex)? {
        periods.first { $0.period.contains(day) }.map { ($0.judged, $0.period.index) }
    }

    /// Whether an alert is one of them.
    func contains(_ entry: LedgerEntry) -> Bool {
        period(of: entry.firstDay)?.judged.contains(entry) == true
    }
}

extension [LedgerEntry] {
    /// The entries as they are after some revisions.
    fileprivate func updated(with revisions: [LedgerEntry]) -> [LedgerEntry] {
        let byID = Dictionary(revisions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let known = Set(map(\.id))
        return map { byID[$0.id] ?? $0 } + revisions.filter { !known.contains($0.id) }
    }
}

extension LedgerEntry {
    /// Whether it was raised with about that size.
    fileprivate func isAsLarge(as size: Double?) -> Bool {
        guard let size, let reportedSize else { return size == reportedSize }
        return abs(size - reportedSize) <= 0.1 * max(size, reportedSize)
    }

    /// Whether its days became part of another alert of its subject, which reports them.
    fileprivate func isPart(ofAnyOf entries: [LedgerEntry]) -> Bool {
        entries.contains { other in
            other.rule == rule && other.days.overlaps(days) && (other.firstDay, other.id) < (firstDay, id)
        }
    }
}

extension HistoryIndex {
    /// The last day that the figures behind an event reach: no alert ends because nothing was fetched.
    fileprivate func lastDay(behind event: Event, _ rules: [any Rule]) -> CivilDate {
        let rule = rules.first { type(of: $0).kind == event.kind }.map { type(of: $0).id }
        let period = rule.flatMap { rule in
            periods(ofRule: rule).first { $0.contains(event.occasion.day) }
        }
        guard let period, let end = period.last else { return lastDayOfPresent(behind: event) }
        return min(end, period.index.lastDayOfPresent(behind: event))
    }

    private func lastDayOfPresent(behind event: Event) -> CivilDate {
        let isOfIssues = event.kind == .velocity || event.kind == .regressed
        let ofIssues = isOfIssues ? issues.source?.lastDayAtCapture : nil
        return min(lastDay, ofIssues ?? sources.compactMap(\.lastDayAtCapture).max() ?? lastDay)
    }
}

extension SourceHistory {
    /// The last day that was over when its newest figures were captured.
    fileprivate var lastDayAtCapture: CivilDate? { capturedAt.map(lastDayOver(at:)) }
}

extension Event {
    /// The event under another id.
    func renamed(_ id: String) -> Event {
        var event = self
        event.occasion.id = id
        return event
    }

    /// The event under the permanent id that the ledger gave, and published when the ledger says.
    fileprivate func named(by entry: LedgerEntry, in index: HistoryIndex) -> Event {
        var event = self
        event.occasion.id = entry.id
        event.occasion.published = index.published(entry, event.occasion)
        return event
    }

    /// The event in the place that the ledger keeps.
    fileprivate func placed(_ occasion: EventIdentity) -> Event {
        var event = self
        event.occasion = occasion
        return event
    }
}
