import GRDB

@testable import Archive

extension Archive {
    /// Every row about sources, with names instead of numbers, sorted: what two archives of the same data share.
    func namedRows() throws -> [String] {
        try read { database in
            let sources = try Self.names(
                database, "SELECT id, app || '/' || name FROM source")
            let versions = try Self.names(
                database, "SELECT id, source_id || ' ' || label || ' ' || build FROM version WHERE id <> 0")
            let issues = try Self.names(database, "SELECT id, source_id || ' ' || name FROM issue_name")
            let tables =
                RevisionTable.all.map(\.name)
                + ["fetch_attempt", "recovery", "covered", "coverage", "alert", "attachment", "source_data"]
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
                    let values = row.map { column, value in
                        guard let number = Int64.fromDatabaseValue(value) else { return "\(column)=\(value)" }
                        switch column {
                        case "source_id": return sources[number] ?? "?"
                        case "issue_id": return Self.renamed(issues[number], sources)
                        case _ where column.hasSuffix("version_id") && number != 0:
                            return "\(column)=" + Self.renamed(versions[number], sources)
                        default: return "\(column)=\(value)"
                        }
                    }
                    return "\(table) \(values.joined(separator: " "))"
                }
            }.sorted()
        }
    }

    private static func names(_ database: Database, _ sql: String) throws -> [Int64: String] {
        try Row.fetchAll(database, sql: sql).reduce(into: [:]) { $0[$1[0]] = $1[1] }
    }

    /// A name that begins with the number of its source.
    private static func renamed(_ name: String?, _ sources: [Int64: String]) -> String {
        guard let name, let end = name.firstIndex(of: " "), let source = Int64(name[..<end]) else {
            return "?"
        }
        return (sources[source] ?? "?") + name[end...]
    }
}
