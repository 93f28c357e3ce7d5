package import AppHealth

/// An alert that was raised and that the figures, as they were revised since, no longer show.
package struct WithdrawnAlert: Hashable, Sendable {
    /// The id, the app and the first day of the alert that was raised.
    package let occasion: Occasion
    /// What the ledger keeps of it.
    package let entry: LedgerEntry

    /// `Withdrawn: the figures were revised. First told: Crash free users dropped by 6.5% in the past 24 hours.`
    package var sentence: String { "Withdrawn: the figures were revised. First told: \(entry.told)" }

    /// The alert that an entry tells of, in the place that it had.
    init(_ entry: LedgerEntry, app: App) {
        var occasion = Occasion(
            rule: entry.rule, subject: entry.subject, app: app, day: entry.firstDay,
            at: Instant(startOf: entry.firstDay.advanced(by: 1)))
        occasion.id = entry.id
        self.occasion = occasion
        self.entry = entry
    }
}
