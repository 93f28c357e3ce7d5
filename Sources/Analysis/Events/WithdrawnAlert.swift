package import AppHealth

/// An alert that was raised and that the figures, as they were revised since, no longer show.
package struct WithdrawnAlert: Hashable, Sendable {
    /// The id, the app and the first day of the alert that was raised.
    package let occasion: EventIdentity
    /// What the ledger keeps of it.
    package let entry: LedgerEntry
    /// Whether the words of the alert are told again.
    package internal(set) var tellsFirst = true

    /// A withdrawn alert.
    init(occasion: EventIdentity, entry: LedgerEntry, tellsFirst: Bool) {
        self.occasion = occasion
        self.entry = entry
        self.tellsFirst = tellsFirst
    }

    /// The alert that an entry tells of, in the place that it had.
    init(_ entry: LedgerEntry, app: App) {
        var occasion = EventIdentity(
            rule: entry.rule, subject: entry.subject, app: app, day: entry.firstDay,
            at: Instant(startOf: entry.firstDay.advanced(by: 1)))
        occasion.id = entry.id
        self.occasion = occasion
        self.entry = entry
    }
}
