import AppHealth

/// What earlier fetches of a warehouse stored: tables may have lost it since.
struct StoredWarehouse: Sendable {
    var counts = KnownCounts()
    /// The day on which each version came out, by its label; nil where it was in use before data began.
    private let days: [String: CivilDate?]

    init(releases: [Release] = [], counts: KnownCounts = KnownCounts()) {
        self.counts = counts
        days = Dictionary(releases.map { ($0.version.label, $0.releasedAt?.date) }) { first, second in
            [first, second].compactMap(\.self).min()
        }
    }

    /// Whether any release is stored.
    var hasReleases: Bool { !days.isEmpty }

    /// Whether anything is stored.
    var isEmpty: Bool { days.isEmpty && counts.sessions.isEmpty && counts.activeUsers.isEmpty }

    /// Whether a version is stored, with a day or without one.
    func has(_ version: Version) -> Bool { days.keys.contains(version.label) }

    /// The day on which a version came out, where a table has its first row on a day.
    ///
    /// A table loses its oldest rows: what is stored is never moved to a later day, and a release that was in use before data
    /// began gets none.
    func releaseDay(of version: Version, first: CivilDate?) -> CivilDate? {
        guard let known = days[version.label] else { return first }
        guard let known, let first else { return known }
        return min(known, first)
    }

    /// Whether anything was counted before a day.
    func hasCounts(before day: CivilDate) -> Bool {
        [counts.sessions, counts.activeUsers].contains { $0.contains { $0.key < day && $0.value > 0 } }
    }
}
