import Foundation
import GRDB
import Testing

@testable import Archive

/// A fetch that is killed, or whose disk refuses, at any of its calls: the next one ends as if nothing had happened.
struct AttackTests {
    /// What is where the archive belongs before the fetch.
    enum Beginning: String, CaseIterable, Sendable {
        case nothing, onlyBegun, firstFormat

        func make(in folder: Folder) throws {
            if self == .nothing { return }
            let pool = try DatabasePool(path: folder.path + "/archive.sqlite")
            switch self {
            case .nothing: break
            case .onlyBegun:
                // Where plimsoll 0.1 was when it was killed.
                try pool.write {
                    try $0.execute(
                        sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                }
            case .firstFormat: try writeFirstFormat(pool)
            }
            try pool.close()
        }

        private func writeFirstFormat(_ pool: DatabasePool) throws {
            try ArchiveFormat.migrator.migrate(pool, upTo: ArchiveFormat.firstStep)
            try pool.write {
                try $0.execute(
                    sql: """
                        INSERT INTO source (id, app, name) VALUES (1, 'buoy', 'files');
                        INSERT INTO health_day VALUES (1, 20000, 0, 1000000000, 1000, 10, NULL, NULL);
                        """)
            }
        }
    }

    private static func project(_ beginning: Beginning) throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        try beginning.make(in: folder)
        return folder
    }

    /// All rows of an archive that is one file and nothing else but what fetches keep for the next, by table, with names
    /// in the place of numbers that depend on who answers first.
    static func rows(_ folder: Folder) throws -> [String: [String]] {
        #expect(
            try folder.names().filter { $0.hasPrefix("archive") } == [
                "archive.sqlite", "archive.sqlite.builds", "archive.sqlite.lock",
            ])
        let kept = folder.path + "/archive.sqlite.builds/fetch"
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).sorted() == ["files", "ledgers"])
        let queue = try DatabaseQueue(path: folder.path + "/archive.sqlite")
        return try queue.read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            let names = try RowNames(database)
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
                    return (table, rows.map { names.text(of: $0, in: table) }.sorted())
                })
        }
    }

    @Test(
        .enabled(if: Attack.isPossible, "cc is needed to make the library that lets calls fail"),
        arguments: Beginning.allCases, Attack.How.basic)
    func nextFetchEndsAsIfNothingHadHappened(beginning: Beginning, how: Attack.How) async throws {
        let whole = try Self.project(beginning)
        let calls = try await Attack.calls(of: "fetch", in: whole)
        #expect(calls.contains { $0.contains("archive.sqlite-wal") })
        let expected = try Self.rows(whole)
        #expect(expected["health_day"]?.count == (beginning == .firstFormat ? 21 : 20))
        // Each beginning is tried in each way; all together are bounded.
        let most = beginning == .nothing && how == .kill ? 60 : 12
        for call in Attack.sample(of: calls.count, most: most) {
            let folder = try Self.project(beginning)
            let hit = try await Attack(call: call, how: how).run("fetch", in: folder)
            if hit.status != 0, how == .full || how == .fault {
                #expect(hit.errors.contains("hint: "), "\(calls[call - 1]): \(hit.errors)")
            }
            let next = try await Program.run("fetch", in: folder)
            #expect(next.status == 0, "\(calls[call - 1]): \(next.errors)")
            if next.status == 0 { #expect(try Self.rows(folder) == expected, "\(calls[call - 1])") }
        }
    }
}
