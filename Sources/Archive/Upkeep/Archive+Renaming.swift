package import AppHealth
import GRDB

/// What became of an app that was to get another id.
package enum AppRenaming: Hashable, Sendable {
    /// It has the new id.
    case renamed(RenamedRows)
    /// The archive has nothing of it. The apps that it has, by id.
    case unknown(apps: [String])
    /// The archive has something of an app with the new id already.
    case taken
}

/// What moved to the new id of an app.
package struct RenamedRows: Hashable, Sendable {
    /// Its sources, with all that was ever fetched from them.
    package var sources: Int
    /// Its alerts.
    package var alerts: Int
    /// The summaries that were attached somewhere.
    package var summaries: Int
}

extension Archive {
    /// Gives an app another id: all that is kept of it moves, or nothing does.
    ///
    /// Alerts keep their own ids, in which the old id of the app stays: they are the same alerts to whoever reads a feed,
    /// and what was attached does not count as corrected.
    ///
    /// - Parameter gist: changes what the ledger of summaries keeps of their verdicts and alerts, where that names the app.
    package func renameApp(
        _ old: String, to new: Slug, gist: (String) -> String
    ) throws(ArchiveError) -> AppRenaming {
        try write { database in
            let tables = try Self.tablesByApp(in: database)
            let apps = try Self.apps(in: tables, database)
            guard apps.contains(old) else { return .unknown(apps: apps.sorted()) }
            let others = tables.filter { !Self.tablesOfEachFetch.contains($0) }
            guard try !Self.apps(in: others, database).contains(new.text) else { return .taken }
            for table in Self.tablesOfEachFetch {
                try database.execute(sql: "DELETE FROM \(table) WHERE app = ?", arguments: [new.text])
            }
            let rows = try Self.rows(of: old, in: database)
            for table in tables {
                try database.execute(
                    sql: "UPDATE \(table.quotedDatabaseIdentifier) SET app = ?1 WHERE app = ?2",
                    arguments: [new.text, old])
            }
            try Self.rewriteGists(in: database, gist)
            try markChange(of: new, in: database)
            return .renamed(rows)
        }
    }

    /// What a fetch writes of every app of the configuration, and what a restored archive takes over: no history.
    private static let tablesOfEachFetch = ["app_revision", "app_target"]

    /// The tables in which a row names its app.
    private static func tablesByApp(in database: Database) throws -> [String] {
        let sql = """
            SELECT name FROM sqlite_master
            WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(sqlite_master.name) AS c WHERE c.name = 'app')
            ORDER BY name
            """
        return try String.fetchAll(database, sql: sql)
    }

    /// The ids of all apps of which there is something; what is of all apps together has none.
    private static func apps(in tables: [String], _ database: Database) throws -> Set<String> {
        try tables.reduce(into: []) { apps, table in
            let sql = "SELECT DISTINCT app FROM \(table.quotedDatabaseIdentifier) WHERE app <> ''"
            apps.formUnion(try String.fetchAll(database, sql: sql))
        }
    }

    private static func rows(of app: String, in database: Database) throws -> RenamedRows {
        func count(_ sql: String) throws -> Int {
            try Int.fetchOne(database, sql: sql, arguments: [app]) ?? 0
        }
        return RenamedRows(
            sources: try count("SELECT count(*) FROM source WHERE app = ?"),
            alerts: try count("SELECT count(DISTINCT id) FROM alert WHERE app = ?"),
            summaries: try count(
                """
                SELECT count(*) FROM (
                    SELECT DISTINCT target, kind, subject FROM attachment WHERE app = ? AND state = 'sent')
                """))
    }

    /// Those of weeks of all apps together name apps, too.
    private static func rewriteGists(in database: Database, _ change: (String) -> String) throws {
        for gist in try String.fetchAll(database, sql: "SELECT DISTINCT gist FROM attachment") {
            let changed = change(gist)
            guard changed != gist else { continue }
            try database.execute(
                sql: "UPDATE attachment SET gist = ?1 WHERE gist = ?2", arguments: [changed, gist])
        }
    }
}
