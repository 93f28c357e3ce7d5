import AppHealth

extension RevisionTable {
    static let issues = RevisionTable(
        "issue",
        values: [
            "title", "kind", "state", "file", "line", "first_seen", "last_seen", "first_version_id",
            "last_version_id", "fixed_version_id", "events", "users", "url",
        ],
        isByIssue: true)
}

extension RevisionWriter {
    mutating func write(_ issue: Issue) throws -> Bool {
        let values: [Field] = [
            Field(issue.title), Field(issue.kind.rawValue), Field(issue.state.rawValue),
            Field(issue.place?.file), Field(issue.place?.line),
            Field(issue.firstSeen?.secondsSinceEpoch), Field(issue.lastSeen?.secondsSinceEpoch),
            Field(try idIfKnown(of: issue.firstVersion)), Field(try idIfKnown(of: issue.lastVersion)),
            Field(try idIfKnown(of: issue.fixedIn)), Field(issue.events), Field(issue.users),
            Field(issue.url),
        ]
        return try write(values, of: [Field(try id(ofIssue: issue.id))], to: .issues)
    }

    /// The number of a version; nil when it is unknown.
    private mutating func idIfKnown(of version: Version?) throws -> Int64? {
        guard let version else { return nil }
        return try id(of: version)
    }
}

extension RevisionReader {
    /// Issues, ordered by the bytes of their ids.
    mutating func issues() throws -> [Issue] {
        var last: (id: Int, name: String)?
        return try rows(of: .issues) { columns in
            var issue = Issue(
                id: try columns.issueName(&last), title: try columns.text(), kind: try columns.word(),
                state: try columns.word())
            let file = try columns.optionalText()
            let line = try columns.optionalInteger()
            issue.place = file.map { CodePlace(file: $0, line: line) }
            issue.firstSeen = try columns.optionalInstant()
            issue.lastSeen = try columns.optionalInstant()
            issue.firstVersion = try columns.optionalVersion()
            issue.lastVersion = try columns.optionalVersion()
            issue.fixedIn = try columns.optionalVersion()
            issue.events = try columns.optionalInteger()
            issue.users = try columns.optionalInteger()
            issue.url = try columns.optionalText()
            return issue
        }
    }
}
