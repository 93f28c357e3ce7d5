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
    package init(settledAfter: Int? = nil) {
        self.settledAfter = settledAfter ?? IssueStarts.settledAfter
    }

    package func events(in index: HistoryIndex) -> [Event] {
        let starts = IssueStarts(index, settledAfter: settledAfter)
        return index.issues.byID.all.compactMap { issue in
            guard let first = starts.first(of: issue) else { return nil }
            let occasion = EventIdentity(
                rule: Self.id, subject: issue.id, app: index.app, day: first.day, at: first.at)
            return .newIssue(NewIssue(occasion: occasion, issue: issue.mention))
        }
    }
}
