import Foundation
import GRDB

extension String {
    /// The same name with composed letters (Unicode Normalization Form C).
    ///
    /// `é` is one scalar or two: for Swift and for a reader that is one name, for SQLite and for a digest in an address two.
    /// What names something is composed where it enters.
    package var composed: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
    }

    /// Whether its bytes are those of the composed form.
    fileprivate var isComposed: Bool { utf8.elementsEqual(composed.utf8) }
}

/// The step that composes the names in an archive that was written before names were composed. What was kept under two
/// forms of one name becomes one.
struct ComposedNames {
    let database: Database

    func run() throws {
        let names = try Row.fetchAll(database, sql: "SELECT id, source_id, name FROM issue_name")
        for row in names {
            let (id, source, name): (Int64, Int64, String) = (row[0], row[1], row[2])
            if !name.isComposed { try compose(.issue, id, of: source, [name]) }
        }
        let versions = try Row.fetchAll(
            database, sql: "SELECT id, source_id, label, build FROM version WHERE id <> 0")
        for row in versions {
            let (id, source): (Int64, Int64) = (row[0], row[1])
            let texts: [String] = [row[2], row[3]]
            if !texts.allSatisfy(\.isComposed) { try compose(.version, id, of: source, texts) }
        }
        for (table, column) in Self.texts { try compose(column, of: table) }
    }

    /// Columns of names that have no number.
    private static let texts = [
        ("device_day", "device"), ("note", "name"), ("note", "subject_name"), ("alert", "id"),
        ("alert", "subject"), ("attachment", "subject"),
    ]

    /// Names that have a number, and where it is.
    private struct Numbered {
        let table: String
        let columns: [String]
        let uses: [Use]

        struct Use {
            let table: String
            let column: String
            /// The columns that name a row together with this one; none where it is no part of the key.
            var key: [String] = []
            /// What is counted in the row.
            var counts: [String] = []
        }

        static let issue = Numbered(
            table: "issue_name", columns: ["name"],
            uses: [
                Use(table: "issue", column: "issue_id", key: ["captured_at"]),
                Use(
                    table: "issue_day", column: "issue_id", key: ["date", "version_id", "captured_at"],
                    counts: ["events", "users"]),
                Use(
                    table: "issue_hour", column: "issue_id", key: ["hour", "captured_at"],
                    counts: ["events", "users"]),
            ])

        static let version = Numbered(
            table: "version", columns: ["label", "build"],
            uses: [
                Use(
                    table: "health_day", column: "version_id", key: ["source_id", "date", "captured_at"],
                    counts: ["sessions", "crashed_sessions", "users", "crashed_users", "crashes"]),
                Use(
                    table: "issue_day", column: "version_id", key: ["issue_id", "date", "captured_at"],
                    counts: ["events", "users"]),
                Use(table: "release", column: "version_id", key: ["source_id", "captured_at"]),
                Use(table: "issue", column: "first_version_id"),
                Use(table: "issue", column: "last_version_id"),
                Use(table: "issue", column: "fixed_version_id"),
            ])
    }

    /// Composes one name, or joins what it names to what has the composed one.
    private func compose(_ kind: Numbered, _ id: Int64, of source: Int64, _ texts: [String]) throws {
        let composed = texts.map(\.composed)
        let (table, columns) = (kind.table, kind.columns)
        let isName = columns.map { "\($0) = ?" }.joined(separator: " AND ")
        let known = try Int64.fetchOne(
            database, sql: "SELECT id FROM \(table) WHERE source_id = ? AND \(isName)",
            arguments: [source] + StatementArguments(composed))
        guard let known else {
            let new = columns.map { "\($0) = ?" }.joined(separator: ", ")
            return try database.execute(
                sql: "UPDATE \(table) SET \(new) WHERE id = ?",
                arguments: StatementArguments(composed) + [id])
        }
        for use in kind.uses { try join(id, to: known, use) }
        try database.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id])
    }

    /// Gives the rows of one number another one. Of two rows of one capture the one that counts something stays: what a
    /// snapshot called by the one form was taken as gone under the other.
    private func join(_ id: Int64, to known: Int64, _ use: Numbered.Use) throws {
        let (table, column) = (use.table, use.column)
        if !use.counts.isEmpty {
            func sum(_ name: String) -> String {
                use.counts.map { "coalesce(\(name).\($0), 0)" }.joined(separator: " + ")
            }
            let isSame = use.key.map { "theirs.\($0) = \(table).\($0)" }.joined(separator: " AND ")
            try database.execute(
                sql: """
                    DELETE FROM \(table) WHERE \(column) = ?1 AND \(sum(table)) = 0 AND EXISTS (
                        SELECT 1 FROM \(table) AS theirs
                        WHERE theirs.\(column) = ?2 AND \(isSame) AND \(sum("theirs")) > 0)
                    """, arguments: [known, id])
        }
        try database.execute(
            sql: "UPDATE OR IGNORE \(table) SET \(column) = ?1 WHERE \(column) = ?2", arguments: [known, id])
        if !use.key.isEmpty {
            try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [id])
        }
    }

    /// Composes texts in place; a row that is there in the composed form already stays as it is.
    private func compose(_ column: String, of table: String) throws {
        let all = try String.fetchAll(
            database, sql: "SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IS NOT NULL")
        for text in all where !text.isComposed {
            try database.execute(
                sql: "UPDATE OR IGNORE \(table) SET \(column) = ?1 WHERE \(column) = ?2",
                arguments: [text.composed, text])
            try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [text])
        }
    }
}
