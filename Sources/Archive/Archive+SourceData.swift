package import AppHealth
import GRDB

extension Archive {
    /// Which data of its service a source reads, as its settings named it when something was last stored; nil where nothing
    /// was, and where only an older version stored it.
    package func dataName(of app: Slug, source: Slug) throws(ArchiveError) -> String? {
        try read { database in
            let newest = """
                SELECT source_data.name FROM source_data JOIN source ON source.id = source_id
                WHERE app = ?1 AND source.name = ?2 ORDER BY since DESC LIMIT 1
                """
            guard let row = try Row.fetchOne(database, sql: newest, arguments: [app.text, source.text]) else {
                return nil
            }
            var columns = ColumnReader(row: row)
            return try? columns.text()
        }
    }

    /// The provider of a source when something of it was last stored; nil where nothing was.
    package func provider(of app: Slug, source: Slug) throws(ArchiveError) -> String? {
        try read { database in
            let named = "SELECT id FROM source WHERE app = ? AND name = ?"
            guard let id = try Int64.fetchOne(database, sql: named, arguments: [app.text, source.text]) else {
                return nil
            }
            let newest = """
                SELECT provider FROM source_description WHERE source_id = ?1 AND (\(holdings))
                ORDER BY captured_at DESC LIMIT 1
                """
            guard let row = try Row.fetchOne(database, sql: newest, arguments: [id]) else { return nil }
            var columns = ColumnReader(row: row)
            return try? columns.text()
        }
    }

    /// What a check says of rows that cannot be understood.
    func unreadableDataNames() throws(ArchiveError) -> [String] {
        try read { database in
            let apps = """
                SELECT DISTINCT app FROM source_data JOIN source ON source.id = source_id
                WHERE typeof(since) <> 'integer' OR typeof(source_data.name) <> 'text' ORDER BY app
                """
            return try String.fetchAll(database, sql: apps).map { "\($0): unreadable rows of source_data" }
        }
    }
}

extension RevisionWriter {
    /// Stores which data the source reads, where the newest name is another one and something of the source is stored. No
    /// page shows it, so the app does not count as changed.
    mutating func write(dataName name: String) throws {
        let fields = [Field(source), Field(capturedAt.secondsSinceEpoch), .text(name.composed)]
        try statement(insertion).run(fields)
    }
}

/// Where the clock was set back, the name still becomes the newest one.
private let insertion = """
    INSERT INTO source_data (source_id, since, name)
    SELECT ?1, max(?2, coalesce((SELECT max(since) + 1 FROM source_data WHERE source_id = ?1), ?2)), ?3
    WHERE (SELECT name FROM source_data WHERE source_id = ?1 ORDER BY since DESC LIMIT 1) IS NOT ?3
        AND (\(holdings))
    """

/// Whether there is anything of a source but how it describes itself.
private let holdings: String = {
    let tables = RevisionTable.all.filter { !$0.isByIssue && $0.name != RevisionTable.descriptions.name }
    return (tables.map(\.name) + ["issue_name"])
        .map { "EXISTS (SELECT 1 FROM \($0) WHERE source_id = ?1)" }.joined(separator: " OR ")
}()
