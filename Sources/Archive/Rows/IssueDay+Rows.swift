import AppHealth

extension RevisionTable {
    static let issueDays = RevisionTable(
        "issue_day", key: ["date", "version_id"], values: ["events", "users"], isByIssue: true)
}

extension RevisionWriter {
    mutating func write(_ day: IssueDay) throws -> Bool {
        let key: [Field] = [
            Field(try id(ofIssue: day.issue)), Field(day.date.daysSinceEpoch),
            Field(try id(of: day.version.map { Version($0) })),
        ]
        return try write([Field(day.events), Field(day.users)], of: key, to: .issueDays)
    }
}

extension RevisionReader {
    /// Counts by day of issues, ordered by the bytes of the issue's id, then by date, then by version.
    mutating func issueDays() throws -> [IssueDay] {
        var last: (id: Int, name: String)?
        var days = try rows(of: .issueDays) { columns in
            IssueDay(
                issue: try columns.issueName(&last), date: try columns.date(),
                version: try columns.optionalVersion()?.label, events: try columns.optionalInteger(),
                users: try columns.optionalInteger())
        }
        sortVersions(&days, by: \.version, within: { $0.date == $1.date && $0.issue == $1.issue })
        return days
    }
}
