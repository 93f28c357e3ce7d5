package import AppHealth
import GRDB

extension RevisionTable {
    static let healthHours = RevisionTable(
        "health_hour", key: ["hour"], values: ["sessions", "crashed_sessions"])
    static let issueHours = RevisionTable(
        "issue_hour", key: ["hour"], values: ["events", "users"], isByIssue: true)
}

extension RevisionWriter {
    mutating func write(_ hour: HealthHour) throws -> Bool {
        try write(
            [Field(hour.sessions), Field(hour.crashedSessions)],
            of: [Field(source), Field(hour.hour.hoursSinceEpoch)], to: .healthHours)
    }

    /// An hour without anything is stored only where it corrects one: that it was reported is kept elsewhere, and
    /// most issues rest in most hours.
    mutating func write(_ hour: IssueHour) throws -> Bool {
        try write(
            [Field(hour.events), Field(hour.users)],
            of: [Field(try id(ofIssue: hour.issue)), Field(hour.hour.hoursSinceEpoch)], to: .issueHours,
            onlyIfKnown: hour.isEmpty)
    }
}

extension RevisionReader {
    /// Health by hour, ordered by hour.
    mutating func healthHours() throws -> [HealthHour] {
        try rows(of: .healthHours) { columns in
            HealthHour(
                hour: try columns.hour(), sessions: try columns.optionalInteger(),
                crashedSessions: try columns.optionalInteger())
        }
    }

    /// Counts by hour of issues, ordered by the bytes of the issue's id, then by hour.
    mutating func issueHours() throws -> [IssueHour] {
        var last: (id: Int, name: String)?
        let hours = try rows(of: .issueHours) { columns in
            IssueHour(
                issue: try columns.issueName(&last), hour: try columns.hour(),
                events: try columns.optionalInteger(), users: try columns.optionalInteger())
        }
        return hours.filter { !$0.isEmpty }
    }

    /// The hours whose issues snapshots reported.
    func hoursOfIssues() throws -> Set<UTCHour> {
        Set(try covered(.issueHours).flatMap { $0.run.map(UTCHour.init(hoursSinceEpoch:)) })
    }
}

extension Archive {
    /// Removes the hours before one, of all sources; returns how many rows there were.
    ///
    /// Hours are the only figures that are ever removed: days report the same for good.
    @discardableResult
    package func removeHours(before first: UTCHour) throws(ArchiveError) -> Int {
        try write { database in
            // Only these apps may show something else then.
            try database.execute(
                sql: markOfOldHours, arguments: [first.hoursSinceEpoch, CoveredKind.issueHours.rawValue])
            var removed = 0
            for table in [RevisionTable.healthHours, .issueHours] {
                try database.execute(
                    sql: "DELETE FROM \(table.name) WHERE hour < ?", arguments: [first.hoursSinceEpoch])
                removed += database.changesCount
            }
            try database.execute(
                sql: "DELETE FROM covered WHERE kind = ? AND last < ?",
                arguments: [CoveredKind.issueHours.rawValue, first.hoursSinceEpoch])
            return removed + database.changesCount
        }
    }
}

/// Gives the apps that have hours before one another mark. Parameters: the hour, and the kind of issues by the hour.
private let markOfOldHours = """
    UPDATE app_revision SET mark = randomblob(16) WHERE app IN (
        SELECT app FROM source WHERE id IN (
            SELECT source_id FROM health_hour WHERE hour < ?1
            UNION SELECT source_id FROM issue_hour CROSS JOIN issue_name ON issue_name.id = issue_id
                WHERE hour < ?1
            UNION SELECT source_id FROM covered WHERE kind = ?2 AND last < ?1
        )
    )
    """
