import AppHealth

extension RevisionTable {
    static let issues = RevisionTable(
        "issue",
        values: [
            "title", "kind", "state", "file", "line", "first_seen", "last_seen", "first_version_id",
            "last_version_id", "fixed_version_id", "events", "users", "url", "named_share",
        ],
        parts: [
            ["file", "line"], ["first_seen"], ["first_version_id"], ["last_version_id"], ["events"],
            ["users", "named_share"], ["url"],
        ],
        joint: [["state", "fixed_version_id"]],
        isByIssue: true)
}

extension RevisionWriter {
    /// - Parameter isKindStated: Whether the source said of what kind it is; otherwise the kind that is known stays.
    mutating func write(_ issue: Issue, isKindStated: Bool = true) throws -> Bool {
        let known = isKindStated ? nil : try kind(ofIssue: issue.id)
        let values: [Field] = [
            Field(issue.title), Field((known ?? issue.kind).rawValue), Field(issue.state.rawValue),
            Field(issue.place?.file), Field(issue.place?.line),
            Field(issue.firstSeen?.secondsSinceEpoch), Field(issue.lastSeen?.secondsSinceEpoch),
            Field(try idIfKnown(of: issue.firstVersion)), Field(try idIfKnown(of: issue.lastVersion)),
            Field(try idIfKnown(of: issue.fixedIn)), Field(issue.events), Field(issue.users),
            Field(issue.url), Field(issue.namedShare),
        ]
        return try write(values, of: [Field(try id(ofIssue: issue.id))], to: .issues)
    }

    /// The kind of an issue as it is known at the snapshot's instant; nil for one that is new.
    private mutating func kind(ofIssue name: String) throws -> Issue.Kind? {
        let place = [Field(try id(ofIssue: name)), Field(capturedAt.secondsSinceEpoch)]
        guard let values = try statement(RevisionTable.issues.newest).row(place),
            case .text(let kind)? = RevisionTable.issues.values.firstIndex(of: "kind").map({ values[$0] })
        else { return nil }
        return Issue.Kind(rawValue: kind)
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
        return try rows(of: .issues, about: { FactSubject(issue: $0.id) }) { columns in
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
            issue.namedShare = try columns.optionalPart()
            if !areNamed(issue.users, next: issue.events) { issue.users = nil }
            return issue
        }
    }
}

extension RevisionReader {
    /// The states and fixes that issues had and the newest versions that they were seen in, oldest first.
    mutating func issueChanges() throws -> (
        states: [String: [IssueStateChange]], versions: [String: [IssueVersionChange]]
    ) {
        let all = """
            SELECT issue_name.id, name, state, fixed_version_id, last_version_id, captured_at
            FROM issue_name CROSS JOIN issue ON issue_id = issue_name.id
            WHERE source_id = ?1 AND captured_at <= ?2 ORDER BY issue_name.id, captured_at
            """
        var last: (id: Int, name: String)?
        let rows: [(issue: String, change: IssueStateChange, version: Version?)] = try rows(
            all, of: .issues, counts: false
        ) { columns in
            let (issue, state): (String, Issue.State) = (try columns.issueName(&last), try columns.word())
            let (fixedIn, version) = (try columns.optionalVersion(), try columns.optionalVersion())
            let at = try columns.instant()
            return (issue, IssueStateChange(capturedAt: at, state: state, fixedIn: fixedIn), version)
        }
        var (states, versions): ([String: [IssueStateChange]], [String: [IssueVersionChange]]) = ([:], [:])
        for (issue, change, version) in rows {
            if !(states[issue]?.last?.saysTheSame(as: change) ?? false) {
                states[issue, default: []].append(change)
            }
            if let version, versions[issue]?.last?.version.label != version.label {
                versions[issue, default: []].append(
                    IssueVersionChange(capturedAt: change.capturedAt, version: version))
            }
        }
        return (states, versions)
    }
}

extension RevisionTable {
    static let releases = RevisionTable(
        "release", key: ["version_id"],
        values: ["released_at", "has_lifetime", "sessions", "crashed_sessions", "sessions_last_day"],
        parts: [["released_at"]], joint: [["sessions", "crashed_sessions"]])
}

extension RevisionWriter {
    mutating func write(_ release: Release) throws -> Bool {
        let totals = release.lifetime
        return try write(
            [
                Field(release.releasedAt?.secondsSinceEpoch), Field(totals == nil ? 0 : 1),
                Field(totals?.sessions), Field(totals?.crashedSessions), Field(totals?.sessionsLastDay),
            ],
            of: [Field(source), Field(try id(of: release.version))], to: .releases)
    }
}

extension RevisionReader {
    /// Releases, newest version first.
    mutating func releases() throws -> [Release] {
        let releases = try rows(
            of: .releases, about: { FactSubject(release: $0.version.label) }
        ) { columns in
            let version = try columns.version()
            let releasedAt = try columns.optionalInstant()
            let hasLifetime = try columns.integer() != 0
            let totals = ReleaseTotals(
                sessions: try columns.optionalInteger(), crashedSessions: try columns.optionalInteger(),
                sessionsLastDay: try columns.optionalInteger())
            return Release(version: version, releasedAt: releasedAt, lifetime: hasLifetime ? totals : nil)
        }
        return releases.sorted { $0.version > $1.version }
    }
}

extension RevisionTable {
    static let notes = RevisionTable(
        "note", key: ["name"], values: ["written_at", "author", "text", "subject", "subject_name"],
        joint: [["written_at", "author", "text", "subject", "subject_name"]])
}

extension RevisionWriter {
    mutating func write(_ note: Note) throws -> Bool {
        let (kind, name) = note.subject.columns
        return try write(
            [
                Field(note.at.secondsSinceEpoch), Field(note.author), Field(note.text), Field(kind.rawValue),
                Field(name?.composed),
            ],
            of: [Field(source), Field(note.id.composed)], to: .notes)
    }
}

extension RevisionReader {
    /// Notes, newest first; those of one second by the bytes of their ids.
    mutating func notes() throws -> [Note] {
        let notes = try rows(of: .notes) { columns in
            let id = try columns.text()
            let (at, author, text) = (try columns.instant(), try columns.text(), try columns.text())
            let subject = try Note.Subject(try columns.word(), name: try columns.optionalText())
            // An earlier version stored what the service had: an address, where there was no name.
            return Note(id: id, at: at, author: nameOfStoredAuthor(author), text: text, subject: subject)
        }
        return notes.enumerated().sorted { ($1.element.at, $0.offset) < ($0.element.at, $1.offset) }.map(
            \.element)
    }
}

/// The word for what a note is about.
private enum SubjectKind: String {
    case app, issue, release, day
}

extension Note.Subject {
    fileprivate var columns: (kind: SubjectKind, name: String?) {
        switch self {
        case .app: (.app, nil)
        case .issue(let id): (.issue, id)
        case .release(let label): (.release, label)
        case .day(let date): (.day, date.description)
        }
    }

    fileprivate init(_ kind: SubjectKind, name: String?) throws(UnreadableColumn) {
        switch (kind, name) {
        case (.app, _): self = .app
        case (.issue, let id?): self = .issue(id)
        case (.release, let label?): self = .release(label)
        case (.day, let date?):
            guard let date = CivilDate(date) else { throw UnreadableColumn() }
            self = .day(date)
        case (.issue, nil), (.release, nil), (.day, nil): throw UnreadableColumn()
        }
    }
}
