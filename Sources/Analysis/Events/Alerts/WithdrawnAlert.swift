package import AppHealth

/// An alert that was raised and that the figures, as they were revised since, no longer show.
package struct WithdrawnAlert: Hashable, Codable, Sendable {
    /// The id, the app and the first day of the alert that was raised.
    package internal(set) var occasion: EventIdentity
    /// What the ledger keeps of it.
    package let entry: LedgerEntry
    /// Whether the words of the alert are reported again.
    package internal(set) var includesOriginal = true

    /// A withdrawn alert.
    init(occasion: EventIdentity, entry: LedgerEntry, includesOriginal: Bool) {
        self.occasion = occasion
        self.entry = entry
        self.includesOriginal = includesOriginal
    }

    /// The kind of what was withdrawn; nil where no rule has the name any more.
    var kind: EventKind? {
        standardRules.lazy.map { type(of: $0) }.first { [entry] in $0.id == entry.rule }?.kind
    }

    /// The alert that an entry is about, in the place that it had.
    init(_ entry: LedgerEntry, in index: HistoryIndex) {
        occasion = index.occasion(of: entry)
        self.entry = entry
    }
}
