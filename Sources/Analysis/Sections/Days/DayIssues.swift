package import AppHealth

/// The issues of a day as they were on it: nothing of them comes from later days.
package struct DayIssues: Hashable, Codable, Sendable {
    /// The top issues, by rank.
    package let top: [DayIssue]
    /// The issues by what happened to them.
    package let groups: [Group]
    /// Why there are no issues by day; nil when a source counts them.
    package let lack: Nothing?

    /// Issues to which the same happened.
    package struct Group: Hashable, Codable, Sendable {
        /// What happened.
        package let kind: IssueGroup.Kind
        /// The first of the issues, each once.
        package let issues: [DayIssue]
        /// How many they are, those that are not listed too.
        package let count: Int
    }
}

/// An issue in a list of a day.
package struct DayIssue: Hashable, Codable, Sendable {
    /// The issue.
    package let issue: Issue
    /// Its state as snapshots had it until the day after, on an overview as it is now; nil when none had been captured by
    /// then.
    package fileprivate(set) var state: Issue.State?
    /// Its place among the issues of the day, from 1; nil in a group.
    package let rank: Int?
    /// Its place on the day before; nil when it was not seen, or when the two days cannot be compared.
    package let previousRank: Int?
    /// Its users of the day; nil when they are not known.
    package let users: Int?
    /// Its events of the day.
    package let events: Int?
    /// Its share of sessions on the day.
    package let share: IssueShare?
    /// Its events of each day of a window that ends with the day.
    package let values: [Double?]?
    /// What marks it on the day, on an overview what marks it now. That it rises, is gone or is muted is a matter of the
    /// report: a day does not say so, as its page stays as it is.
    package fileprivate(set) var signals: [IssueSignal]
    /// The versions it was seen in up to the day.
    package let versions: SeenVersions
}

/// The first and the last version that an issue was seen in.
package struct SeenVersions: Hashable, Codable, Sendable {
    /// The label of the first; nil when it is not known.
    package let first: String?
    /// The label of the last.
    package let last: String?

    /// Makes a span.
    package init(first: String?, last: String?) {
        self.first = first
        self.last = last
    }
}

extension IssuesSection {
    /// The issues of a day.
    ///
    /// - Parameter lastDay: the last day of the app: the versions that its issues were seen in are those of now.
    package func list(of day: DaySection, lastDay: CivilDate, limit: Int = .max) -> DayIssues {
        DayIssues(
            top: top(of: day, lastDay: lastDay, limit: limit),
            groups: day.groups.map { group in
                DayIssues.Group(
                    kind: group.kind,
                    issues: group.issues.compactMap { entry in
                        self[entry.id].map {
                            row($0, on: day.date, lastDay, users: entry.users, events: entry.events)
                        }
                    }, count: group.count)
            }, lack: lackOfDays)
    }

    /// The first issues of a day as an overview has them: with the states and marks that they have now, as the day may be
    /// one of last week where its sessions are late.
    package func topNow(of day: DaySection, lastDay: CivilDate) -> [DayIssue] {
        top(of: day, lastDay: lastDay, limit: .max).map { row in
            var row = row
            guard let facts = self[row.issue.id] else { return row }
            (row.state, row.signals) = (facts.issue.state, facts.signals)
            return row
        }
    }

    /// The first issues of a day.
    package func top(of day: DaySection, lastDay: CivilDate, limit: Int) -> [DayIssue] {
        zip(day.summary?.entries ?? [], day.shares).prefix(limit).compactMap { entry, share in
            self[entry.issue.id].map {
                row(
                    $0, on: day.date, lastDay, entry.rank, entry.previousRank, users: entry.users,
                    events: entry.events, share)
            }
        }
    }

    private func row(
        _ facts: IssueFacts, on day: CivilDate, _ lastDay: CivilDate, _ rank: Int? = nil,
        _ previousRank: Int? = nil, users: Int?, events: Int?, _ share: IssueShare? = nil
    ) -> DayIssue {
        let isNow = day == lastDay
        return DayIssue(
            issue: facts.issue.mention, state: facts.state(on: day), rank: rank, previousRank: previousRank,
            users: users, events: events,
            share: share, values: values(of: facts, through: day),
            signals: facts.signals(on: day),
            versions: isNow ? facts.versions : facts.versions(through: day))
    }
}
