import AppHealth
import Diagnostics
import Foundation
import GRDB
import Testing

@testable import Archive

/// An app with another id, in a file of SQLite.
struct RenameTests {
    private static let quay = Slug(anyText: "quay")

    private func renamed(
        _ archive: Archive, _ old: String = "harbour", to new: Slug = quay,
        gist: (String) -> String = { $0 }
    ) throws -> AppRenaming {
        try archive.renameApp(old, to: new, gist: gist)
    }

    private func step(_ app: String, gist: String, target: String = "notes") -> AttachmentEntry {
        AttachmentEntry(
            key: AttachmentKey(target: target, kind: .week, app: app, subject: "2026-W47", audience: "team"),
            state: .sent, content: "c", gist: gist, remote: "7", at: Instant(secondsSinceEpoch: 100))
    }

    /// Everything that may be known of an app.
    private func fill(_ archive: Archive, _ id: Slug) throws {
        var snapshot = Snapshot.whole(at: 100)
        snapshot.app = App(id: id, name: "Harbour")
        try archive.record(snapshot, dataName: "acme/shop")
        try archive.record(
            failure: failure, app: id, source: Source.files.id, at: Instant(secondsSinceEpoch: 105))
        try archive.record(
            [
                LedgerEntry(
                    id: "harbour/stability/2026-11-19", app: id, rule: "stability", subject: "",
                    firstDay: day, lastDay: day, raisedAt: Instant(startOf: day), state: .open,
                    sentence: "it fell", reportedSize: 0.25)
            ], at: Instant(secondsSinceEpoch: 100))
        let targets = try #require(Targets(target: 0.99, critical: 0.9))
        try archive.record(targets, of: id, at: Instant(secondsSinceEpoch: 100))
        try archive.record(step(id.text, gist: "g"))
    }

    /// It is the archive that it would be if the app had had that id from the beginning.
    @Test func allRowsMove() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (archive, expected) = (try folder.archive(), try other.archive())
        try fill(archive, App.harbour.id)
        try fill(expected, Self.quay)
        let before = try archive.revision(of: App.harbour.id, asOf: .latest)?.mark
        let rows = RenamedRows(sources: 1, alerts: 1, summaries: 1)
        #expect(try renamed(archive) == .renamed(rows))
        #expect(try archive.namedRows() == expected.namedRows())
        let levels = "SELECT * FROM app_target"
        #expect(
            try archive.read { try Row.fetchAll($0, sql: levels) }
                == expected.read { try Row.fetchAll($0, sql: levels) })
        let mark = try archive.revision(of: Self.quay, asOf: .latest)?.mark
        #expect(mark != nil && mark != before)
        #expect(try archive.sources(of: App.harbour.id) == [])
        #expect(try archive.faults() == [])
        // And back again.
        #expect(try renamed(archive, "quay", to: App.harbour.id) == .renamed(rows))
    }

    /// No table is passed over that says of which app a row is.
    @Test func noTableKeepsTheOldID() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try fill(archive, App.harbour.id)
        _ = try renamed(archive)
        try archive.close()
        let queue = try DatabaseQueue(path: folder.archivePath)
        try queue.read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            for table in tables {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
                    #expect(!row.databaseValues.contains("harbour".databaseValue), "\(table): \(row)")
                }
            }
        }
    }

    @Test func gistsThatNameTheAppAreChanged() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try fill(archive, App.harbour.id)
        try archive.record(step("", gist: "harbour=1 lamp=2!", target: "chat"))
        _ = try renamed(archive) { $0.replacing("harbour=", with: "quay=") }
        #expect(try archive.attachments(to: "chat").map(\.gist) == ["quay=1 lamp=2!"])
        #expect(try archive.attachments(to: "chat").map(\.key.app) == [""])
        #expect(try archive.attachments(to: "notes") == [step("quay", gist: "g")])
    }

    @Test func refusesAnUnknownAppAndAnIDThatIsTaken() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try renamed(archive) == .unknown(apps: []))
        try fill(archive, App.harbour.id)
        try archive.record(step("quay", gist: "g"))
        let before = try archive.namedRows()
        #expect(try renamed(archive, "harbor") == .unknown(apps: ["harbour", "quay"]))
        #expect(try renamed(archive) == .taken, "what was attached is enough")
        #expect(try archive.namedRows() == before)
    }

    /// Levels are kept of each app of the configuration, and an archive that is restored takes them over.
    @Test func levelsAloneAreNoHistory() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try fill(archive, App.harbour.id)
        try archive.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    INSERT INTO app_target SELECT 'quay', recorded_at, 0.5, 0.1 FROM app_target;
                    INSERT OR IGNORE INTO app_target VALUES ('quay', 0, 0.5, 0.1);
                    INSERT OR REPLACE INTO app_revision VALUES ('quay', x'00')
                    """)
        }
        guard case .renamed = try renamed(archive) else {
            Issue.record("refused")
            return
        }
        let others = try archive.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM app_target WHERE target = 0.5")
        }
        #expect(others == 0)
    }
}
