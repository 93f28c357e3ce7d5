package import AppHealth
import GRDB

extension Archive {
    /// Stores how far a summary got at a place. No page shows it, so no app counts as changed.
    package func record(_ entry: AttachmentEntry) throws(ArchiveError) {
        let key = entry.key
        try write { database in
            try database.cachedStatement(sql: insertion).execute(arguments: [
                key.target, key.kind.rawValue, key.app, key.subject, key.audience,
                entry.at.secondsSinceEpoch, entry.state.rawValue, entry.content, entry.gist, entry.remote,
            ])
        }
    }

    /// Every step of every summary at a place, those of one summary in their order; rows that cannot be understood are
    /// left alone.
    package func attachments(to target: String) throws(ArchiveError) -> [AttachmentEntry] {
        try read { database in
            let cursor = try Row.fetchCursor(database, sql: reading, arguments: [target])
            var entries: [AttachmentEntry] = []
            while let row = try cursor.next() {
                var columns = ColumnReader(row: row)
                if let entry = try? AttachmentEntry(&columns, target: target) { entries.append(entry) }
            }
            return entries
        }
    }
}

extension Archive {
    /// What differs once anything was attached: steps are only ever added.
    func attachmentState() throws(ArchiveError) -> [Int?] {
        try read { database in
            let counts = "SELECT count(*), sum(number), max(recorded_at) FROM attachment"
            return try Row.fetchOne(database, sql: counts).map { [$0[0], $0[1], $0[2]] } ?? []
        }
    }

    /// Writes all steps into the database of another archive, in place of those that are there.
    func replaceAttachments(in other: Database) throws {
        let columns =
            "target, kind, app, subject, audience, number, recorded_at, state, content, gist, remote"
        try other.execute(sql: "DELETE FROM attachment")
        let insertion = try other.makeStatement(
            sql: "INSERT INTO attachment (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        try read { database in
            let cursor = try Row.fetchCursor(database, sql: "SELECT \(columns) FROM attachment")
            while let row = try cursor.next() {
                try insertion.execute(arguments: StatementArguments(row.databaseValues))
            }
        }
    }
}

private let insertion = """
    INSERT INTO attachment (
        target, kind, app, subject, audience, number, recorded_at, state, content, gist, remote
    ) SELECT ?1, ?2, ?3, ?4, ?5, coalesce(max(number), 0) + 1, ?6, ?7, ?8, ?9, ?10 FROM attachment
    WHERE target = ?1 AND kind = ?2 AND app = ?3 AND subject = ?4 AND audience = ?5
    """
private let reading = """
    SELECT kind, app, subject, audience, state, content, gist, remote, recorded_at
    FROM attachment WHERE target = ?1 ORDER BY kind, app, subject, audience, number
    """

extension AttachmentEntry {
    fileprivate init(_ columns: inout ColumnReader, target: String) throws(UnreadableColumn) {
        let key = AttachmentKey(
            target: target, kind: try columns.word(), app: try columns.text(), subject: try columns.text(),
            audience: try columns.text())
        self.init(
            key: key, state: try columns.word(), content: try columns.text(), gist: try columns.text(),
            remote: try columns.optionalText(), at: try columns.instant())
    }
}
