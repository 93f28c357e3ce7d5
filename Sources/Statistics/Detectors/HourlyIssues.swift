/// Hourly sessions of an app and, for each of its issues, the sessions it met in the same hours.
package struct HourlyIssues: Hashable, Sendable {
    /// Sessions by hour; nil is a gap.
    package let sessions: [Int?]
    /// For each issue, its sessions by hour; as long as `sessions`.
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
