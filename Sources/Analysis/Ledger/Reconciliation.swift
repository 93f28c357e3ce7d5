package import AppHealth

/// What the ledger and the figures of now make of each other.
package struct Reconciliation: Hashable, Codable, Sendable {
    /// The permanent id of each found alert by the id that follows from its first day.
    package var ids: [String: String] = [:]
    /// The ids, by their first days, of found alerts that are no events of their own: what the ledger holds reports them.
    package var hidden: Set<String> = []
    /// The ids of the alerts of the ledger that the data of now cannot judge.
    package var asRaised: Set<String> = []
    /// Alerts that the ledger does not know yet.
    package var appended: [LedgerEntry] = []
    /// Alerts whose days, state or depth changed: longer, deeper, over, or lasting again.
    package var changed: [LedgerEntry] = []
    /// Alerts that the figures no longer show.
    package var withdrawn: [LedgerEntry] = []

    /// The permanent ids of the found alerts that are events of their own.
    package var shown: Set<String> { Set(ids.lazy.filter { !hidden.contains($0.key) }.map(\.value)) }

    /// All entries that the archive has to store.
    package var revisions: [LedgerEntry] { appended + changed + withdrawn }
}

/// Matches the alerts found now with those of the ledger.
///
/// Within an app, a rule and a subject, a found alert that shares a day with an entry is that entry and keeps
/// its id, however late data moved its first day; of several the one with most days in common, then the one
/// raised first. Where an alert begins on the day on which an entry does, one that begins later is another one: it
/// followed. One of which there is only one of its subject needs no day in common, and keeps its day too. One that has a
/// single day continues an entry that is as near as late data may have moved it; its day moves. What is
/// left of the found is new. What is left of the ledger is withdrawn, unless it cannot be
/// judged, or its days became part of another alert: that one is closed.
///
/// An issue that was found in all versions together, as those were not known then, and is now found in one of them on a day in
/// common, is the same alert. So is one of an issue in a build, `3.7.0 (371)`, that is now found in its version, as the source
/// lists builds together.
///
/// An entry that cannot be judged stays as it was raised. A found alert that begins during it is its last part as a
/// shorter past shows it, and only makes it longer.
///
/// - Parameters:
///   - ledger: The entries of one app.
///   - found: The alerts of that app, in any order.
///   - raisedAt: The capture time of the newest figures: when new alerts are raised.
///   - asRaised: The ids of the entries that the data of now cannot judge.
package func reconcile(
    _ ledger: [LedgerEntry], found: [FoundAlert], raisedAt: Instant, asRaised: Set<String> = []
) -> Reconciliation {
    var result = Reconciliation()
    result.asRaised = asRaised
    var taken = Set(ledger.map(\.id))
    let entries = Dictionary(grouping: ledger, by: { AlertKey(app: $0.app, rule: $0.rule, $0.subject) })
    let alerts = Dictionary(grouping: found, by: { $0.key(among: found, entries, asRaised: asRaised) })
    for key in Set(entries.keys).union(alerts.keys).sorted() {
        let known = entries[key] ?? []
        let all = (alerts[key] ?? []).sorted { $0 < $1 }
        let shown = all.filter { !result.isPartAsRaised($0, of: known) }
        result.prolong(known, all)
        let pairs = pairs(of: known, shown)
        for (place, alert) in shown.enumerated() {
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
            result.leave(entry, among: shown)
        }
    }
    result.sort()
    return result
}

extension FoundAlert {
    /// Under what it is looked for in the ledger: its subject, or its issue in a build of its version or in all versions
    /// together, where an entry about that has no other alert to continue it.
    fileprivate func key(
        among found: [FoundAlert], _ entries: [AlertKey: [LedgerEntry]], asRaised: Set<String>
    ) -> AlertKey {
        func overlaps(_ key: AlertKey) -> Bool {
            entries[key]?.contains {
                $0.state != .withdrawn && !asRaised.contains($0.id) && $0.days.overlaps(days)
            } == true
        }
        let own = AlertKey(app: app, rule: rule, subject)
        guard !overlaps(own) else { return own }
        let ofBuilds = entries.keys.filter {
            $0.app == app && $0.rule == rule && isOfBuild($0.subject, ofVersionIn: subject)
        }
        let whole = wholeSubject.map { AlertKey(app: app, rule: rule, $0) }
        let earlier = ofBuilds.sorted() + (whole.map { [$0] } ?? [])
        return earlier.first { key in
            overlaps(key)
                && !found.contains {
                    $0.rule == rule && $0.app == app && $0.subject == key.subject && $0.days.overlaps(days)
                }
        } ?? own
    }
}

/// Whether a subject is an issue in a build, `1a2b@4.3.0 (371)`, of the version in which another one has it, `1a2b@4.3.0`.
private func isOfBuild(_ subject: String, ofVersionIn other: String) -> Bool {
    guard subject.last == ")", subject.hasPrefix(other), let sign = other.lastIndex(of: "@") else {
        return false
    }
    let issue = other[...sign]
    let version = Version(withBuildIn: String(subject.dropFirst(issue.count)))
    return !version.build.isEmpty && version.label == other[other.index(after: sign)...]
}

extension Reconciliation {
    /// Whether a found alert is a part of an entry that cannot be judged.
    fileprivate func isPartAsRaised(_ alert: FoundAlert, of known: [LedgerEntry]) -> Bool {
        let isJudged = known.contains {
            !asRaised.contains($0.id) && $0.state != .withdrawn && $0.days.overlaps(alert.days)
        }
        return !isJudged && known.contains { contains(alert, in: $0) }
    }

    private func contains(_ alert: FoundAlert, in entry: LedgerEntry) -> Bool {
        !alert.isOnce && asRaised.contains(entry.id) && entry.state != .withdrawn
            && entry.firstDay < alert.days.lowerBound && entry.days.contains(alert.days.lowerBound)
    }

    /// Makes entries that cannot be judged as long as the found alerts that are parts of them.
    fileprivate mutating func prolong(_ known: [LedgerEntry], _ alerts: [FoundAlert]) {
        for entry in known {
            let parts = alerts.filter { isPartAsRaised($0, of: known) && contains($0, in: entry) }
            guard !parts.isEmpty else { continue }
            var now = entry
            for part in parts {
                hidden.insert(part.id)
                ids[part.id] = entry.id
                now.lastDay = max(now.lastDay, part.days.upperBound)
                if part.isOpen { now.state = .open }
            }
            if now != entry { changed.append(now) }
        }
    }

    /// An entry that no found alert continues.
    fileprivate mutating func leave(_ entry: LedgerEntry, among shown: [FoundAlert]) {
        guard entry.state != .withdrawn, !asRaised.contains(entry.id) else { return }
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
            let common = commonDays(alerts[alert].days, entries[entry].days)
            guard alerts[alert].isOnce || common >= -alerts[alert].mostMoved,
                !alerts[alert].isAfterAnother(of: alerts, in: entries[entry])
            else { return nil }
            return Candidate(
                alert: alert, entry: entry, days: common,
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

extension FoundAlert {
    /// Whether it begins during an entry whose first day is that of another alert.
    fileprivate func isAfterAnother(of alerts: [FoundAlert], in entry: LedgerEntry) -> Bool {
        entry.firstDay < days.lowerBound
            && alerts.contains { !$0.isOnce && $0.days.lowerBound == entry.firstDay }
    }
}

/// One less than the days in common; of spans without any, how many days lie from one to the other, negative.
private func commonDays(_ first: ClosedRange<CivilDate>, _ second: ClosedRange<CivilDate>) -> Int {
    max(first.lowerBound, second.lowerBound).days(to: min(first.upperBound, second.upperBound))
}

/// One way to continue an entry; the best comes first.
private struct Candidate {
    let alert: Int, entry: Int
    /// As `commonDays` has it.
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
