import AppHealth
import Foundation
import GRDB
import Testing

@testable import Archive

/// How an archive comes to be, and what becomes of one that was only begun.
struct CreationTests {
    /// The statements of the first step of the format, in their order.
    private static func firstStatements() throws -> [String] {
        let step = try DatabaseQueue()
        try ArchiveFormat.migrator.migrate(step, upTo: ArchiveFormat.firstStep)
        return try step.read {
            try String.fetchAll(
                $0, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        }
    }

    /// A file in WAL mode, as plimsoll 0.1 began one, after so many statements.
    private func begin(_ folder: TemporaryFolder, _ statements: [String]) throws {
        let pool = try DatabasePool(path: folder.archivePath)
        try pool.write { database in
            for statement in statements { try database.execute(sql: statement) }
        }
        try pool.close()
    }

    @Test func archiveThatWasOnlyBegunIsCompleted() throws {
        let statements = try Self.firstStatements()
        #expect(statements.count > 8 && statements[0].contains("grdb_migrations"))
        for count in 0...statements.count {
            let folder = try TemporaryFolder()
            try begin(folder, Array(statements.prefix(count)))
            let bytes = FileManager.default.contents(atPath: folder.archivePath)
            #expect(throws: ArchiveError.unfinished(path: folder.archivePath)) {
                try Archive(at: folder.archivePath, for: .reading)
            }
            #expect(FileManager.default.contents(atPath: folder.archivePath) == bytes)
            let archive = try folder.archive()
            try archive.record(.at(10, sessions: 5))
            #expect(try archive.known().health.first?.sessions == 5, "\(count)")
        }
    }

    /// A name may begin with a mark that goes onto the letter before it, which is a slash then.
    @Test func anArchiveMayHaveAnyName() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/\u{301}shop.sqlite"
        let archive = try Archive(at: path, for: .writing)
        try archive.record(.at(10, sessions: 5))
        try archive.close()
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(ArchiveFiles.draft(of: path) == folder.path + "/.\u{301}shop.sqlite.plimsoll-new")
    }

    @Test func newArchiveIsItsOwnersAlone() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        for file in ArchiveFiles.files(of: folder.archivePath) {
            let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(rights == 0o600, "\(file)")
        }
        withExtendedLifetime(archive) {}
    }

    /// What makes a database that looks like a begun archive another program's.
    @Test(arguments: [
        "INSERT INTO grdb_migrations VALUES ('createRecipes')", "PRAGMA user_version = 3",
        "PRAGMA application_id = 7", "CREATE TABLE recipe (name TEXT)", "CREATE VIEW v AS SELECT 1",
        "INSERT INTO source (app, name) VALUES ('a', 'b')", "ALTER TABLE note ADD COLUMN mood TEXT",
        "INSERT INTO version (id) VALUES (7)", "CREATE INDEX i ON note (name)",
    ])
    func databaseWithAnythingOfItsOwnIsRefusedUntouched(statement: String) throws {
        let folder = try TemporaryFolder()
        try begin(folder, try Self.firstStatements() + [statement])
        let bytes = FileManager.default.contents(atPath: folder.archivePath)
        for purpose in [Archive.Purpose.reading, .writing] {
            #expect(throws: ArchiveError.notAnArchive(path: folder.archivePath)) {
                try Archive(at: folder.archivePath, for: purpose)
            }
        }
        #expect(FileManager.default.contents(atPath: folder.archivePath) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plimsoll.sqlite"])
    }

    @Test func commitIsOnTheDiskWhenItReturns() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let (journal, level) = try archive.writeWithoutTransaction {
            (
                try String.fetchOne($0, sql: "PRAGMA journal_mode"),
                try Int.fetchOne($0, sql: "PRAGMA synchronous")
            )
        }
        #expect(journal == "wal")
        #expect(level == 2)
    }

    @Test func leftoversOfAnEarlierAttemptAreNotUsed() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let stranger = try other.archive()
        try stranger.record(.at(10, sessions: 5))
        let log = try #require(FileManager.default.contents(atPath: other.archivePath + "-wal"))
        let draft = ArchiveFiles.draft(of: folder.archivePath)
        for path in [folder.archivePath + "-wal", draft, draft + "-wal", draft + "-journal"] {
            try log.write(to: URL(fileURLWithPath: path))
        }
        let archive = try folder.archive()
        #expect(try archive.apps() == [])
        try archive.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plimsoll.sqlite"])
    }
}
