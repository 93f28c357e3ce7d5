import GRDB

extension Archive {
    /// What a database is to this program.
    enum Contents {
        /// An archive of the newest format.
        case archive
        /// An archive that lacks steps of the format.
        case older
        /// The beginning of an archive, in which nothing was ever stored: plimsoll 0.1 left it when it was killed, or
        /// the disk was full, while it made the file.
        case unfinished
    }

    /// Tells what a database is.
    ///
    /// - Throws: `ArchiveError` when it is another program's, or a newer version's.
    static func contents(of database: Database, _ path: String) throws -> Contents {
        guard try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            guard try isUnfinished(database) else { throw ArchiveError.notAnArchive(path: path) }
            return .unfinished
        }
        let unknown = try migrator.appliedIdentifiers(database).subtracting(migrator.migrations)
        if !unknown.isEmpty { throw ArchiveError.newerFormat(path: path, migrations: unknown.sorted()) }
        return try migrator.hasCompletedMigrations(database) ? .archive : .older
    }

    /// Removes what stands in a file that was never finished, all of it or nothing.
    static func removeUnfinished(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            guard try isUnfinished(database) else { return .rollback }
            for table in try definitions(in: database).keys.sorted() {
                try database.execute(sql: "DROP TABLE \(table.quotedDatabaseIdentifier)")
            }
            return .commit
        }
    }

    /// Whether nothing but tables of the first step stands in the file, as that step makes them, without a row of
    /// anybody's; and nobody has put a mark on the file.
    private static func isUnfinished(_ database: Database) throws -> Bool {
        let marks = ["application_id", "user_version"]
        guard try marks.allSatisfy({ try Int.fetchOne(database, sql: "PRAGMA \($0)") == 0 }) else {
            return false
        }
        let found = try definitions(in: database)
        if found.isEmpty { return true }
        let step = try DatabaseQueue()
        try migrator.migrate(step, upTo: firstStep)
        let known = try step.read { try definitions(in: $0) }
        return try found.allSatisfy { table, definition in
            guard known[table] == definition else { return false }
            // The row that stands for all releases together is made with its table.
            let own = table == "version" ? "WHERE id <> 0" : ""
            let rows = "SELECT EXISTS (SELECT 1 FROM \(table.quotedDatabaseIdentifier) \(own))"
            return try Bool.fetchOne(database, sql: rows) == false
        }
    }

    /// The statement that made each table, view, trigger or index, by its name; those that SQLite makes left out.
    private static func definitions(in database: Database) throws -> [String: String] {
        let sql =
            "SELECT name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        let rows = try Row.fetchAll(database, sql: sql)
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }
}
