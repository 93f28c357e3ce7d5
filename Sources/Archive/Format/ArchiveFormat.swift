import GRDB

/// What makes a database an archive: the mark in its header, and the steps that bring its tables up to date.
enum ArchiveFormat {
    /// `PLIM` in the header of the file: distinguishes an archive from the database of another program.
    static let applicationID = 0x504C_494D

    /// The step that makes a file an archive.
    static let firstStep = "createSnapshots"

    /// The steps that bring a file up to date, each in a transaction of its own; a step that was released is never
    /// changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(firstStep) { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: FirstTables.createNames)
            try database.execute(sql: FirstTables.createDays)
            try database.execute(sql: FirstTables.createDescriptions)
        }
        migrator.registerMigration("addSettling") { try $0.execute(sql: LaterTables.addSettling) }
        migrator.registerMigration("addHours") { try $0.execute(sql: LaterTables.addHours) }
        migrator.registerMigration("addAlerts") { try $0.execute(sql: LaterTables.addAlerts) }
        migrator.registerMigration("addCoverage") { try $0.execute(sql: LaterTables.addCoverage) }
        migrator.registerMigration("addRevisions") { try $0.execute(sql: LaterTables.addRevisions) }
        migrator.registerMigration("addAttachments") { try $0.execute(sql: LaterTables.addAttachments) }
        migrator.registerMigration("addDevices") { try $0.execute(sql: LaterTables.addDevices) }
        migrator.registerMigration("addSecret") { try $0.execute(sql: LaterTables.addSecret) }
        migrator.registerMigration("addRecoveries") { try $0.execute(sql: LaterTables.addRecoveries) }
        migrator.registerMigration("addDeviations") { try $0.execute(sql: LaterTables.addDeviations) }
        migrator.registerMigration("addNamedShares") { try $0.execute(sql: LaterTables.addNamedShares) }
        migrator.registerMigration("addPassages") { try $0.execute(sql: LaterTables.addPassages) }
        migrator.registerMigration("addCompactions") { try $0.execute(sql: LaterTables.addCompactions) }
        migrator.registerMigration("composeNames") { try ComposedNames(database: $0).run() }
        migrator.registerMigration("addAlertLevels") { try $0.execute(sql: LaterTables.addAlertLevels) }
        migrator.registerMigration("addTargets") { try $0.execute(sql: LaterTables.addTargets) }
        migrator.registerMigration("addSourceData") { try $0.execute(sql: LaterTables.addSourceData) }
        return migrator
    }
}

extension ArchiveFormat {
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

    /// Reports what a database is.
    ///
    /// - Throws: `ArchiveError` when it is another program's, or a newer version's.
    static func contents(of database: Database, _ path: String) throws -> Contents {
        guard try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            guard try isUnfinished(database) else { throw ArchiveError.notAnArchive(path: path) }
            return .unfinished
        }
        let applied = try migrator.appliedIdentifiers(database)
        let unknown = applied.subtracting(migrator.migrations)
        if !unknown.isEmpty { throw ArchiveError.newerFormat(path: path, migrations: unknown.sorted()) }
        let foreign = try foreignDefinitions(in: database, applied)
        if !foreign.isEmpty { throw ArchiveError.foreignSchema(path: path, names: foreign) }
        return try migrator.hasCompletedMigrations(database) ? .archive : .older
    }

    /// Removes what is in a file that was never finished, all of it or nothing.
    static func removeUnfinished(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            guard try isUnfinished(database) else { return .rollback }
            for table in try definitions(in: database).keys.sorted() {
                try database.execute(sql: "DROP TABLE \(table.quotedDatabaseIdentifier)")
            }
            return .commit
        }
    }

    /// Whether nothing but tables of the first step is in the file, as that step makes them, without a row of
    /// anybody's; and no one has put a mark on the file.
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
            // The row that means all releases together is made with its table.
            let own = table == "version" ? "WHERE id <> 0" : ""
            let rows = "SELECT EXISTS (SELECT 1 FROM \(table.quotedDatabaseIdentifier) \(own))"
            return try Bool.fetchOne(database, sql: rows) == false
        }
    }

    /// What is in a file besides what the steps make, or otherwise than they make it: a trigger or a view of somebody
    /// else's would run in whatever reads or writes the archive.
    private static func foreignDefinitions(in database: Database, _ applied: Set<String>) throws -> [String] {
        let found = try definitions(in: database)
        guard let last = migrator.migrations.last(where: applied.contains) else { return found.keys.sorted() }
        let own = try DatabaseQueue()
        try migrator.migrate(own, upTo: last)
        let known = try own.read { try definitions(in: $0) }
        return Set(found.keys).union(known.keys).filter { found[$0] != known[$0] }.sorted()
    }

    /// The statement that made each table, view, trigger or index, by its name; without those that SQLite makes.
    private static func definitions(in database: Database) throws -> [String: String] {
        let sql =
            "SELECT name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        let rows = try Row.fetchAll(database, sql: sql)
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }
}
