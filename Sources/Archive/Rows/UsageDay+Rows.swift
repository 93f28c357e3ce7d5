import AppHealth

extension RevisionTable {
    static let usage = RevisionTable(
        "usage_day", key: ["date"],
        values: ["active_users", "weekly_active_users", "monthly_active_users", "new_users", "sessions"])
}

extension RevisionWriter {
    mutating func write(_ day: UsageDay) throws -> Bool {
        try write(
            [
                Field(day.activeUsers), Field(day.weeklyActiveUsers), Field(day.monthlyActiveUsers),
                Field(day.newUsers), Field(day.sessions),
            ],
            of: [Field(source), Field(day.date.daysSinceEpoch)], to: .usage)
    }
}

extension RevisionReader {
    /// Use by day, ordered by date.
    mutating func usage() throws -> [UsageDay] {
        try rows(of: .usage) { columns in try UsageDay(&columns) }
    }
}

extension UsageDay {
    init(_ columns: inout ColumnReader) throws(UnreadableColumn) {
        self.init(
            date: try columns.date(), activeUsers: try columns.optionalInteger(),
            weeklyActiveUsers: try columns.optionalInteger(),
            monthlyActiveUsers: try columns.optionalInteger(), newUsers: try columns.optionalInteger(),
            sessions: try columns.optionalInteger())
    }
}
