package import AppHealth
import Statistics

/// What hurt most on one day.
package struct TopIssuesSummary: Hashable, Sendable {
    /// One issue of the summary.
    package struct Entry: Hashable, Sendable {
        /// The issue.
        package let issue: Issue
        /// Its users on the day.
        package let users: Int
        /// Its events on the day; nil when unknown.
        package let events: Int?
        /// Its rank on the day, from 1.
        package let rank: Int
        /// Its rank on the day before; nil when it was not seen.
        package let previousRank: Int?
    }

    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// The issues of the day, most users first.
    package let entries: [Entry]
    /// All users of the day; nil when unknown.
    package let users: Int?
    /// Users who met a crash on the day; nil when unknown.
    package let crashedUsers: Int?
    /// The zone of the source's days.
    package let zone: String

    /// The share of all users that the first issue hit: exact, as it is one issue.
    package var share: Fraction? {
        guard let users, let first = entries.first else { return nil }
        return Fraction(first.users, of: users)
    }

    /// The least share of affected users that the first issue explains. A user may meet several issues, so
    /// for more than one issue only bounds are known.
    package var coverage: Fraction? {
        guard let crashedUsers, let first = entries.first, first.issue.kind == .crash else { return nil }
        return Fraction(first.users, of: crashedUsers)
    }
}

/// Sums up the issues of every day that has any figure.
package struct TopIssuesRule: Rule {
    package static let id = "top-issues"
    package static let kind = EventKind.topIssues
    /// How many issues a summary names.
    package var limit: Int

    /// The standard length, or another.
    package init(limit: Int = 10) {
        self.limit = limit
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        guard let issues = evidence.issues, issues.source.capabilities.contains(.issueDays) else { return [] }
        var byDay: [CivilDate: [IssueDay]] = [:]
        for day in evidence.issueDays.values.joined() { byDay[day.date, default: []].append(day) }
        let days = evidence.days.filter { day in
            byDay[day] != nil || (evidence.health[day] != nil && isCovered(day, by: issues, evidence))
        }
        return days.map { .topIssues(summary(of: $0, byDay, evidence)) }
    }

    /// Whether the source was fetched after the day, so that no issue means that none was seen.
    private func isCovered(_ day: CivilDate, by issues: SourceHistory, _ evidence: HistoryIndex) -> Bool {
        issues.capturedAt.map { $0 >= evidence.end(of: day) } ?? false
    }

    private func summary(
        of day: CivilDate, _ byDay: [CivilDate: [IssueDay]], _ evidence: HistoryIndex
    ) -> TopIssuesSummary {
        let previous = ranks(of: byDay[day.advanced(by: -1)] ?? [])
        let entries = ranks(of: byDay[day] ?? []).sorted { $0.value.rank < $1.value.rank }.prefix(limit)
        let health = evidence.health[day]
        return TopIssuesSummary(
            occasion: EventIdentity(rule: Self.id, app: evidence.app, day: day, at: evidence.end(of: day)),
            entries: entries.compactMap { id, place in
                guard let issue = evidence.issuesByID[id], let users = place.day.users else { return nil }
                return TopIssuesSummary.Entry(
                    issue: issue, users: users, events: place.day.events, rank: place.rank,
                    previousRank: previous[id]?.rank)
            },
            users: health?.users, crashedUsers: health?.crashedUsers,
            zone: evidence.issues?.source.zone ?? "UTC")
    }

    private func ranks(of days: [IssueDay]) -> [String: (rank: Int, day: IssueDay)] {
        let seen = days.filter { ($0.users ?? 0) > 0 }.sorted { first, second in
            first.users != second.users
                ? (first.users ?? 0) > (second.users ?? 0) : first.issue < second.issue
        }
        return Dictionary(
            seen.enumerated().map { ($1.issue, (rank: $0 + 1, day: $1)) },
            uniquingKeysWith: { first, _ in first })
    }
}
