import AppHealth

/// The days on which issues were first seen, as far as it is known that they were not there before.
struct IssueStarts {
    /// How many days it usually is after which an unknown issue counts as new.
    static let settledAfter = 28

    private let evidence: HistoryIndex
    private let settledAfter: Int
    /// The first day with anything of each issue, by id.
    private let onRecord: [String: CivilDate]
    /// The first day of the archive.
    private let start: CivilDate?

    /// - Parameter settledAfter: how many days after the archive's first one an unknown issue counts as new, where the source
    ///   does not say.
    init(_ evidence: HistoryIndex, settledAfter: Int = IssueStarts.settledAfter) {
        self.evidence = evidence
        self.settledAfter = settledAfter
        onRecord = evidence.issueDays.compactMapValues(\.firstSeenDay)
            .merging(evidence.issueReleaseDays.compactMapValues(\.firstSeenDay), uniquingKeysWith: min)
        start = (Array(onRecord.values) + evidence.days.prefix(1)).min()
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
                    && evidence.areWhole((1...max(1, settledAfter)).map { first.advanced(by: -$0) })
                    ? (first, evidence.end(of: first.advanced(by: -1), for: evidence.issues)) : nil
            }
        }
        // A source may begin to count again; what the archive knew before is not new.
        let day = evidence.issueDay(of: stated)
        guard stated <= evidence.asOf, day >= start, onRecord.map({ $0 >= day }) ?? true else { return nil }
        return (day, stated)
    }

    /// The first day on which an issue is known to have been there; it may be older.
    func firstKnown(of issue: Issue) -> CivilDate? {
        [issue.firstSeen.map(evidence.issueDay(of:)), onRecord[issue.id]].compactMap(\.self).min()
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
