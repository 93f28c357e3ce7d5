package import AppHealth

/// Alerts of one key are distinguished by their days alone.
struct AlertKey: Hashable, Comparable, Codable {
    let app: Slug
    let rule: String
    let subject: String

    init(app: Slug, rule: String, _ subject: String) {
        self.app = app
        self.rule = rule
        self.subject = subject
    }

    static func < (lhs: AlertKey, rhs: AlertKey) -> Bool {
        (lhs.app, lhs.rule, lhs.subject) < (rhs.app, rhs.rule, rhs.subject)
    }
}

extension FoundAlert {
    /// In the order of their first days.
    static func < (lhs: FoundAlert, rhs: FoundAlert) -> Bool {
        (lhs.days.lowerBound, lhs.days.upperBound, lhs.id) < (
            rhs.days.lowerBound, rhs.days.upperBound, rhs.id
        )
    }
}

extension LedgerEntry {
    /// A new entry for an alert that was just found.
    init(_ alert: FoundAlert, id: String, raisedAt: Instant) {
        self.init(
            id: id, app: alert.app, rule: alert.rule, subject: alert.subject,
            firstDay: alert.days.lowerBound, lastDay: alert.days.upperBound, raisedAt: raisedAt,
            state: alert.isOpen ? .open : .closed, sentence: alert.sentence, reportedSize: alert.size,
            reportedUsers: alert.users, reportedDepth: alert.depth)
    }

    /// Its days; a pair that is the wrong way round is one day.
    package var days: ClosedRange<CivilDate> { firstDay...max(firstDay, lastDay) }

    /// The entry with the days, the state and the depth that the figures of now show; what was first reported stays.
    func standing(as alert: FoundAlert) -> LedgerEntry {
        var entry = self
        if !alert.isOnce {
            entry.firstDay = alert.days.lowerBound
            entry.lastDay = alert.days.upperBound
        }
        entry.state = alert.isOpen ? .open : .closed
        // What once reached a level stays as it was where it is withdrawn.
        if let depth = alert.depth, depth > reportedDepth ?? reportedSize ?? 0 { entry.reportedDepth = depth }
        return entry
    }
}

/// The id, or with a number behind it when another alert has it already: one whose first day moved away.
func freeID(_ id: String, _ taken: inout Set<String>) -> String {
    if taken.insert(id).inserted { return id }
    var number = 2
    while !taken.insert("\(id)-\(number)").inserted { number += 1 }
    return "\(id)-\(number)"
}
