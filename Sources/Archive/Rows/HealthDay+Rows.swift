import AppHealth

extension RevisionTable {
    static let health = RevisionTable(
        "health_day", key: ["date", "version_id"],
        values: ["sessions", "crashed_sessions", "users", "crashed_users"])
}

extension RevisionWriter {
    mutating func write(_ day: HealthDay) throws -> Bool {
        let version = try id(of: day.version.map { Version($0) })
        return try write(
            [Field(day.sessions), Field(day.crashedSessions), Field(day.users), Field(day.crashedUsers)],
            of: [Field(source), Field(day.date.daysSinceEpoch), Field(version)], to: .health)
    }
}

extension RevisionReader {
    /// Health by day, ordered by date, then by version.
    mutating func health() throws -> [HealthDay] {
        var days = try rows(of: .health) { columns in try HealthDay(&columns) }
        sortVersions(&days, by: \.version, within: { $0.date == $1.date })
        return days
    }

    /// The oldest revision of each day, all releases together.
    mutating func healthAsReported() throws -> [CivilDate: HealthDay] {
        let oldest = """
            SELECT date, version_id, \(RevisionTable.health.values.joined(separator: ", ")), min(captured_at)
            FROM health_day WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2 GROUP BY date
            """
        let days = try rows(oldest, of: .health) { columns in try HealthDay(&columns) }
        return Dictionary(days.map { ($0.date, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension HealthDay {
    init(_ columns: inout ColumnReader) throws(UnreadableColumn) {
        self.init(
            date: try columns.date(), version: try columns.optionalVersion()?.label,
            sessions: try columns.optionalInteger(), crashedSessions: try columns.optionalInteger(),
            users: try columns.optionalInteger(), crashedUsers: try columns.optionalInteger())
    }
}
