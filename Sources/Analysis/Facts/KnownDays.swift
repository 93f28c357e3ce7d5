import AppHealth

/// How many days of a span are known.
package struct KnownDays: Hashable, Codable, Sendable {
    /// Those that are.
    package let known: Int
    /// All of them.
    package let all: Int

    /// So many of all.
    package init(known: Int, all: Int) {
        self.known = known
        self.all = all
    }

    /// Whether all are.
    package var isWhole: Bool { known >= all }
}

extension KnownDays {
    /// The days of a release, from the one on which it came out to the last with a row, and those of them of which something
    /// is known; nil without any.
    init?(of release: Release, _ rows: [HealthDay], isKnown: (CivilDate) -> Bool) {
        let dates = rows.map(\.date)
        guard let oldest = dates.min(), let last = dates.max() else { return nil }
        let first = min(release.releaseDay ?? oldest, oldest)
        let all = min(first.days(to: last) + 1, HistoryIndex.longestSpan)
        self.init(known: (0..<all).count { isKnown(last.advanced(by: -$0)) }, all: all)
    }
}
