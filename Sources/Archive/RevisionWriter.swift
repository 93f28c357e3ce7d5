import AppHealth
import GRDB

/// Writes what one snapshot tells, inside one transaction.
struct RevisionWriter {
    typealias Field = (any DatabaseValueConvertible)?

    let database: Database
    let source: Int64
    let capturedAt: Instant
    /// Values that differ from those recorded before for the very same instant.
    private(set) var conflicts = 0
    private var versions: [Version: Int64] = [:]
    private var issues: [String: Int64] = [:]

    init(_ database: Database, app: Slug, source: Slug, capturedAt: Instant) throws {
        self.database = database
        self.capturedAt = capturedAt
        self.source = try Self.id(of: [app.text, source.text], in: database, table: .source)
    }

    /// Writes a revision when the values differ from the newest one known at the snapshot's instant.
    ///
    /// What was recorded for the very same instant stands: revisions are never rewritten. With `onlyIfKnown` a
    /// key that has no revision gets none.
    mutating func write(
        _ values: [Field], of key: [Field], to table: RevisionTable, onlyIfKnown: Bool = false
    ) throws -> Bool {
        let fields = key + [capturedAt.secondsSinceEpoch] + values
        let newest = try database.cachedStatement(sql: table.comparison)
        try newest.bind(fields)
        switch try Int.fetchOne(newest).flatMap(RevisionTable.Comparison.init(rawValue:)) {
        case .same?: return false
        case .conflicting?:
            conflicts += 1
            return false
        case nil where onlyIfKnown: return false
        case .older?, nil: break
        }
        let insertion = try database.cachedStatement(sql: table.insertion)
        try insertion.bind(fields)
        try insertion.execute()
        return true
    }

    /// The number of a version; zero for all releases together.
    mutating func id(of version: Version?) throws -> Int64 {
        guard let version else { return 0 }
        if let known = versions[version] { return known }
        let id = try Self.id(of: [source, version.label, version.build], in: database, table: .version)
        versions[version] = id
        return id
    }

    /// The number of an issue.
    mutating func id(ofIssue name: String) throws -> Int64 {
        if let known = issues[name] { return known }
        let id = try Self.id(of: [source, name], in: database, table: .issue)
        issues[name] = id
        return id
    }

    /// The number of a name, which is given one when it is met for the first time.
    private static func id(of name: [Field], in database: Database, table: NameTable) throws -> Int64 {
        let lookup = try database.cachedStatement(sql: table.lookup)
        try lookup.bind(name)
        if let id = try Int64.fetchOne(lookup) { return id }
        let insertion = try database.cachedStatement(sql: table.insertion)
        try insertion.bind(name)
        try insertion.execute()
        return database.lastInsertedRowID
    }
}

/// A table that gives numbers to long texts.
private struct NameTable {
    let lookup: String
    let insertion: String

    static let source = NameTable("source", ["app", "name"])
    static let version = NameTable("version", ["source_id", "label", "build"])
    static let issue = NameTable("issue_name", ["source_id", "name"])

    private init(_ table: String, _ columns: [String]) {
        lookup = "SELECT id FROM \(table) WHERE \(columns.map { "\($0) = ?" }.joined(separator: " AND "))"
        insertion = """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
    }
}
