import GRDB

/// The names behind the numbers of sources, versions and issues.
struct RowNames {
    private var names: [String: [Int64: String]] = [:]

    init(_ database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT id, app || '/' || name AS name FROM source") {
            names["source", default: [:]][row["id"]] = row["name"]
        }
        for (table, sql) in [
            ("version", "SELECT id, source_id, label || ' ' || build AS name FROM version"),
            ("issue_name", "SELECT id, source_id, name FROM issue_name"),
        ] {
            for row in try Row.fetchAll(database, sql: sql) {
                let source = (row["source_id"] as Int64?).flatMap { names["source"]?[$0] } ?? ""
                names[table, default: [:]][row["id"]] = "\(source) \(row["name"] as String? ?? "")"
            }
        }
    }

    func text(of row: Row, in table: String) -> String {
        row.map { column, value in
            let kind = column == "id" ? table : column == "issue_id" ? "issue_name" : kind(of: column)
            let name = Int64.fromDatabaseValue(value).flatMap { names[kind]?[$0] }
            return "\(column):\(name ?? "\(value)")"
        }.joined(separator: " ")
    }

    private func kind(of column: String) -> String {
        column == "source_id" ? "source" : column.hasSuffix("version_id") ? "version" : ""
    }
}
