package import AppHealth

/// What the ledger and the figures of now make of each other.
package struct Reconciliation: Hashable, Codable, Sendable {
    /// The permanent id of each found alert by the id that follows from its first day.
    package var ids: [String: String] = [:]
    /// Alerts that the ledger does not know yet.
    package var appended: [LedgerEntry] = []
    /// Alerts whose days or state changed: longer, over, or lasting again.
    package var changed: [LedgerEntry] = []
    /// Alerts that the figures no longer show.
    package var withdrawn: [LedgerEntry] = []

    /// All entries that the archive has to store.
    package var revisions: [LedgerEntry] { appended + changed + withdrawn }
}

/// Matches the alerts found now with those of the ledger.
///
/// Within an app, a rule and a subject, a found alert that shares a day with an entry is that entry and keeps
/// its id, however late data moved its first day; of several the one with most days in common, then the one
/// raised first. What is left of the found is new. What is left of the ledger is withdrawn, unless its days
/// lie outside of those that can be judged, or became part of another alert: that one is closed.
///
/// - Parameters:
///   - ledger: The entries of one app.
///   - found: The alerts of that app, in any order.
///   - raisedAt: The capture time of the newest figures: when new alerts are raised.
///   - judged: The days whose figures are known; nil when there are none.
///   - byRule: The days of rules that look at fewer, by the rule's id.
package func reconcile(
    _ ledger: [LedgerEntry], found: [FoundAlert], raisedAt: Instant, judged: ClosedRange<CivilDate>?,
    byRule: [String: ClosedRange<CivilDate>] = [:]
) -> Reconciliation {
    var result = Reconciliation()
    var taken = Set(ledger.map(\.id))
    let entries = Dictionary(grouping: ledger, by: { AlertKey(app: $0.app, rule: $0.rule, $0.subject) })
    let alerts = Dictionary(grouping: found, by: { AlertKey(app: $0.app, rule: $0.rule, $0.subject) })
    for key in Set(entries.keys).union(alerts.keys).sorted() {
        let (known, shown) = (entries[key] ?? [], alerts[key] ?? [])
        let pairs = pairs(of: known, shown)
        for (place, alert) in shown.enumerated().sorted(by: { $0.element < $1.element }) {
            if let entry = pairs[place].map({ known[$0] }) {
                result.ids[alert.id] = entry.id
                let now = entry.standing(as: alert)
                if now != entry { result.changed.append(now) }
            } else {
                let entry = LedgerEntry(alert, id: freeID(alert.id, &taken), raisedAt: raisedAt)
                result.ids[alert.id] = entry.id
                result.appended.append(entry)
            }
        }
        let matched = Set(pairs.values)
        for (place, entry) in known.enumerated() where !matched.contains(place) {
            result.leave(entry, among: shown, byRule[entry.rule] ?? judged)
        }
    }
    result.sort()
    return result
}

extension Reconciliation {
    /// An entry that no found alert continues.
    fileprivate mutating func leave(
        _ entry: LedgerEntry, among shown: [FoundAlert], _ judged: ClosedRange<CivilDate>?
    ) {
        guard entry.state != .withdrawn, judged?.contains(entry.firstDay) == true else { return }
        var entry = entry
        let isPartOfAnother = shown.contains { $0.days.overlaps(entry.days) }
        if isPartOfAnother, entry.state == .closed { return }
        entry.state = isPartOfAnother ? .closed : .withdrawn
        if isPartOfAnother { changed.append(entry) } else { withdrawn.append(entry) }
    }

    fileprivate mutating func sort() {
        appended.sort { $0.id < $1.id }
        changed.sort { $0.id < $1.id }
        withdrawn.sort { $0.id < $1.id }
    }
}

/// The place of the entry that each found alert continues, by the place of the alert.
private func pairs(of entries: [LedgerEntry], _ alerts: [FoundAlert]) -> [Int: Int] {
    let candidates = alerts.indices.flatMap { alert in
        entries.indices.compactMap { entry -> Candidate? in
            let common = alerts[alert].days.clamped(to: entries[entry].days)
            guard alerts[alert].days.overlaps(entries[entry].days) else { return nil }
            return Candidate(
                alert: alert, entry: entry, days: common.lowerBound.days(to: common.upperBound),
                isWithdrawn: entries[entry].state == .withdrawn, raisedAt: entries[entry].raisedAt,
                names: (entries[entry].id, alerts[alert].id))
        }
    }
    var pairs: [Int: Int] = [:]
    var used: Set<Int> = []
    for one in candidates.sorted() where pairs[one.alert] == nil && used.insert(one.entry).inserted {
        pairs[one.alert] = one.entry
    }
    return pairs
}

/// One way to continue an entry; the best comes first.
private struct Candidate {
    let alert: Int, entry: Int
    /// One less than the days in common.
    let days: Int
    let isWithdrawn: Bool
    let raisedAt: Instant
    /// The id of the entry, then that of the alert: the last tie.
    let names: (String, String)
}

extension Candidate: Comparable {
    static func < (lhs: Candidate, rhs: Candidate) -> Bool {
        if lhs.isWithdrawn != rhs.isWithdrawn { return rhs.isWithdrawn }
        if lhs.days != rhs.days { return lhs.days > rhs.days }
        if lhs.raisedAt != rhs.raisedAt { return lhs.raisedAt < rhs.raisedAt }
        return lhs.names < rhs.names
    }

    static func == (lhs: Candidate, rhs: Candidate) -> Bool { !(lhs < rhs) && !(rhs < lhs) }
}
