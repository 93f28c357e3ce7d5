import AppHealth

/// The days on which issues were first seen, as far as it is known that they were not there before.
struct IssueStarts {
    /// How many days it usually is after which an unknown issue counts as new.
    static let settledAfter = 28

    private let index: HistoryIndex
    private let settledAfter: Int
    /// The first day with anything of each issue, by id.
    private let onRecord: [String: CivilDate]
    /// The first day of the archive.
    private let start: CivilDate?

    /// - Parameter settledAfter: how many days after the archive's first one an unknown issue counts as new, where the source
    ///   does not say.
    init(_ index: HistoryIndex, settledAfter: Int = IssueStarts.settledAfter) {
        self.index = index
        self.settledAfter = settledAfter
        onRecord = index.issues.days.compactMapValues(\.firstSeenDay)
            .merging(index.issues.releaseDays.compactMapValues(\.firstSeenDay), uniquingKeysWith: min)
        start = (Array(onRecord.values) + index.days.prefix(1)).min()
    }

    /// When an issue was first seen, on a day of the archive; nil when it is older, or may be.
    func first(of issue: Issue) -> (day: CivilDate, at: Instant)? {
        guard let start else { return nil }
        let onRecord = onRecord[issue.id]
        guard let stated = issue.firstSeen else {
            let settled = start.advanced(by: settledAfter)
            return onRecord.flatMap { first in
                // Where its absence before is not known, it may be old.
                first >= settled
                    && index.issues.areWhole((1...max(1, settledAfter)).map { first.advanced(by: -$0) })
                    ? (first, index.issues.source.end(of: first.advanced(by: -1))) : nil
            }
        }
        // A source may begin to count again; what the archive knew before is not new.
        let day = index.issues.day(of: stated)
        guard stated <= index.asOf, day >= start, onRecord.map({ $0 >= day }) ?? true else { return nil }
        return (day, stated)
    }

    /// The first day on which an issue is known to have been there; it may be older.
    func firstKnown(of issue: Issue) -> CivilDate? {
        [issue.firstSeen.map { index.issues.day(of: $0) }, onRecord[issue.id]].compactMap(\.self).min()
    }
}

extension [IssueDay] {
    /// The first of these days, in order, on which anything was seen.
    fileprivate var firstSeenDay: CivilDate? { first(where: \.isSeen)?.date }
}

extension IssueDay {
    /// Whether anything was seen of the issue.
    var isSeen: Bool { (events ?? 0) > 0 || (users ?? 0) > 0 }
}
