/// Sessions of an app by step (hour or day) and, for each of its issues, what it met in the same steps.
package struct IssueSeries: Hashable, Sendable {
    /// Sessions by step; nil is a gap.
    package let sessions: [Int?]
    /// For each issue, its sessions (or users, or events) by step; as long as `sessions`.
    package let affected: [[Int]]

    /// The counts; nil when one is negative or the rows differ in length.
    package init?(sessions: [Int?], affected: [[Int]]) {
        guard affected.allSatisfy({ $0.count == sessions.count && !$0.contains { $0 < 0 } }),
            !sessions.contains(where: { $0 ?? 0 < 0 })
        else { return nil }
        self.sessions = sessions
        self.affected = affected
    }
}

/// The series of an app whose source counts hours.
package typealias HourlyIssues = IssueSeries
