package import AppHealth

/// An issue was seen for the first time.
package struct NewIssue: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The issue.
    package let issue: Issue
}

/// Finds issues on the day when they were first seen, as the source states it.
package struct NewIssueRule: Rule {
    package static let id = "new-issue"
    package static let kind = EventKind.newIssue
    package static let needs = RuleNeed.issues

    /// How many days after the archive's first one an unknown issue counts as new, where the source does not say.
    package var settledAfter: Int

    /// The standard rule, or another.
    package init(settledAfter: Int = 28) {
        self.settledAfter = settledAfter
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        let onRecord = firstDays(in: evidence)
        guard let start = (Array(onRecord.values) + evidence.days.prefix(1)).min() else { return [] }
        return evidence.issuesByID.all.compactMap { issue in
            guard let first = firstSeen(issue, onRecord: onRecord[issue.id], since: start, evidence) else {
                return nil
            }
            let occasion = EventIdentity(
                rule: Self.id, subject: issue.id, app: evidence.app, day: first.day, at: first.at)
            return .newIssue(NewIssue(occasion: occasion, issue: issue.mention))
        }
    }

    private func firstSeen(
        _ issue: Issue, onRecord: CivilDate?, since start: CivilDate, _ evidence: HistoryIndex
    ) -> (day: CivilDate, at: Instant)? {
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

    private func firstDays(in evidence: HistoryIndex) -> [String: CivilDate] {
        let days = evidence.issueDays.merging(evidence.issueReleaseDays) { $0 + $1 }
        return days.compactMapValues {
            $0.filter { ($0.events ?? 0) > 0 || ($0.users ?? 0) > 0 }.map(\.date).min()
        }
    }
}
