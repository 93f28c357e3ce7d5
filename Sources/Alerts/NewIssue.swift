package import AppHealth

/// An issue was seen for the first time.
package struct NewIssue: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: Occasion
    /// The issue.
    package let issue: Issue

    /// `New issue detected in Atomic.swift line 54.`
    package var sentence: String { "New issue detected in \(issue.label)." }
}

/// Finds first sightings, by the source's own word for when an issue was first seen.
package struct IssueAppears: Rule {
    package static let id = "new-issue"
    package static let kind = EventKind.newIssue

    /// The rule.
    package init() {}

    package var statement: String {
        "The source says that an issue was first seen on a day that the archive covers."
    }

    package func events(in evidence: Evidence) -> [Event] {
        let issueDays = evidence.issueDays.values.compactMap(\.first?.date)
        guard let start = (issueDays + evidence.health.keys).min() else { return [] }
        return evidence.issuesByID.values.compactMap { issue in
            guard let firstSeen = issue.firstSeen, firstSeen <= evidence.asOf, firstSeen.date >= start
            else { return nil }
            let occasion = Occasion(
                rule: Self.id, subject: issue.id, app: evidence.app, day: firstSeen.date, at: firstSeen)
            return .newIssue(NewIssue(occasion: occasion, issue: issue))
        }
    }
}
