import AppHealth
import Diagnostics
import GRDB

/// Reads what one source is known for as of one instant, inside one transaction.
struct RevisionReader {
    let database: Database
    let source: Int64
    let asOf: Instant
    /// How many rows of each table were left out.
    private(set) var unreadable: [String: Int] = [:]
    private let versions: [Int64: Version]
    private let ranks: [String: Int]

    /// Nil when the source was never asked.
    init?(_ database: Database, app: Slug, source: Slug, asOf: Instant) throws {
        let lookup = "SELECT id FROM source WHERE app = ? AND name = ?"
        guard let id = try Int64.fetchOne(database, sql: lookup, arguments: [app.text, source.text]) else {
            return nil
        }
        self.database = database
        self.source = id
        self.asOf = asOf
        versions = try Self.versions(of: id, in: database)
        let labels = Set(versions.values.map { Version($0.label) }).sorted().map(\.label)
        ranks = Dictionary(zip(labels, 0...), uniquingKeysWith: { first, _ in first })
    }

    /// The newest revisions, as `decode` makes them; a row that cannot be understood is left out and counted.
    mutating func rows<Value>(
        of table: RevisionTable, _ decode: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        try rows(table.reading, of: table, decode)
    }

    /// The rows that a statement with the parameters source and instant gives. Rows of a table that is read for
    /// a second time are not counted again.
    mutating func rows<Value>(
        _ statement: String, of table: RevisionTable, counts: Bool = true,
        _ decode: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        let parameters: StatementArguments = [source, asOf.secondsSinceEpoch]
        let cursor = try Row.fetchCursor(database, sql: statement, arguments: parameters)
        var values: [Value] = []
        while let row = try cursor.next() {
            do {
                var columns = ColumnReader(row: row, versions: versions)
                values.append(try decode(&columns))
            } catch is UnreadableColumn {
                if counts { unreadable[table.name, default: 0] += 1 }
            }
        }
        return values
    }

    /// Counts one more row that was left out.
    mutating func leaveOut(from table: String) {
        unreadable[table, default: 0] += 1
    }

    /// Sorts by version, oldest first and all releases together before them, what shares a date or an issue;
    /// the rest of the order stands.
    func sortVersions<Day>(
        _ days: inout [Day], by version: (Day) -> String?, within isSame: (Day, Day) -> Bool
    ) {
        func rank(_ day: Day) -> Int { version(day).map { ranks[$0] ?? .max } ?? -1 }
        var start = 0
        for end in 1..<max(days.count + 1, 1) where end == days.count || !isSame(days[start], days[end]) {
            if end - start > 1 { days[start..<end].sort { rank($0) < rank($1) } }
            start = end
        }
    }

    private static func versions(of source: Int64, in database: Database) throws -> [Int64: Version] {
        let statement = "SELECT id, label, build FROM version WHERE source_id = ?"
        var versions: [Int64: Version] = [:]
        let cursor = try Row.fetchCursor(database, sql: statement, arguments: [source])
        while let row = try cursor.next() {
            guard let id = Int64.fromDatabaseValue(row[0]), let label = String.fromDatabaseValue(row[1]),
                let build = String.fromDatabaseValue(row[2])
            else { continue }
            versions[id] = Version(label, build: build)
        }
        return versions
    }
}
