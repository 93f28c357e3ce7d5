import AppHealth
import Foundation
import GRDB
import Testing

@testable import Archive

/// Which project the stored days of a source are of stays known.
struct SourceDataTests {
    private func known(_ archive: Archive) throws -> String? {
        try archive.dataName(of: App.harbour.id, source: Source.files.id)
    }

    /// Every name that was ever stored, with the second from which it held.
    private func rows(_ archive: Archive) throws -> [String] {
        try archive.read { database in
            try Row.fetchAll(database, sql: "SELECT since, name FROM source_data ORDER BY since").map {
                "\($0[0] as Int) \($0[1] as String)"
            }
        }
    }

    /// A provider of which nothing but its own description is stored may be another one.
    @Test func theProviderIsThatOfWhatIsStored() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        func provider() throws -> String? {
            try archive.provider(of: App.harbour.id, source: Source.files.id)
        }
        #expect(try provider() == nil)
        try archive.record(Snapshot.at(6))
        #expect(try provider() == nil)
        try archive.record(Snapshot.at(10, sessions: 7))
        #expect(try provider() == Source.files.provider)
        #expect(try archive.provider(of: App.harbour.id, source: Slug(anyText: "other")) == nil)
    }

    @Test func aNameIsStoredWithWhatIsOfIt() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try known(archive) == nil)
        // A failure is nothing that is of a project, nor is a capture without a value.
        try archive.record(
            failure: failure, app: App.harbour.id, source: Source.files.id,
            at: Instant(secondsSinceEpoch: 5))
        try archive.record(.at(6), dataName: "acme/staging")
        #expect(try known(archive) == nil)
        try archive.record([.at(10, sessions: 7), .at(20, sessions: 8)], dataName: "acme/staging")
        let mark = try archive.revision(of: App.harbour.id, asOf: .latest)?.mark
        try archive.record([.at(20, sessions: 8)], dataName: "acme/shop")
        #expect(try rows(archive) == ["10 acme/staging", "20 acme/shop"])
        #expect(try archive.revision(of: App.harbour.id, asOf: .latest)?.mark == mark, "no page shows it")
        // A clock that was set back, and a name in letters of another form.
        try archive.record(.at(15, sessions: 8), dataName: "acme/cafe\u{301}")
        try archive.record(.at(16, sessions: 8), dataName: "acme/caf\u{e9}")
        #expect(try rows(archive) == ["10 acme/staging", "20 acme/shop", "21 acme/caf\u{e9}"])
        #expect(try known(archive) == "acme/caf\u{e9}")
        #expect(try archive.dataName(of: App.harbour.id, source: Slug(anyText: "other")) == nil)
    }

    @Test func aSourceWithoutAnyKeepsNone() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 7))
        try archive.record([.at(20, sessions: 8)])
        #expect(try rows(archive) == [])
    }

    /// Which name an archive of the format before held is not known; the first capture after it has one, also where it
    /// brings nothing new.
    @Test func anArchiveOfTheFormatBeforeTakesTheFirstName() throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.archivePath)
        try ArchiveFormat.migrator.migrate(queue, upTo: "addTargets")
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO source (id, app, name) VALUES (1, 'harbour', 'files');
                    INSERT INTO health_day (source_id, date, version_id, captured_at, sessions)
                        VALUES (1, \(day.daysSinceEpoch), 0, 10, 7);
                    INSERT INTO fetch_attempt VALUES (1, 10, 0, '[]');
                    """)
        }
        try queue.close()
        let archive = try folder.archive()
        #expect(try known(archive) == nil)
        #expect(try archive.known().health.map(\.sessions) == [7])
        #expect(try archive.record(.at(20, sessions: 7), dataName: "acme/shop").health == 0)
        #expect(try rows(archive) == ["20 acme/shop"])
        #expect(try archive.faults() == [])
    }

    @Test func namesAreMerged() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (ours, theirs) = (try folder.archive(), try other.archive())
        try theirs.record(.at(10, sessions: 7), dataName: "acme/staging")
        try theirs.record(.at(30, sessions: 7), dataName: "acme/shop")
        try theirs.close()
        for _ in 0..<2 {
            _ = try ours.merge(other.archivePath, now: Instant(secondsSinceEpoch: 100))
            #expect(try rows(ours) == ["10 acme/staging", "30 acme/shop"])
        }
    }

    /// The same project under its number, as a second machine names it: the name of here stays.
    @Test func anotherNameElsewhereReplacesNone() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (ours, theirs) = (try folder.archive(), try other.archive())
        try ours.record(.at(10, sessions: 7), dataName: "acme/shop")
        try theirs.record(.at(30, sessions: 7), dataName: "acme/4711")
        try theirs.close()
        _ = try ours.merge(other.archivePath, now: Instant(secondsSinceEpoch: 100))
        #expect(try rows(ours) == ["10 acme/shop"])
    }

    /// A byte that changed in the row, found by a check.
    @Test func aRowThatCannotBeReadIsAFault() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 7), dataName: "acme/shop")
        #expect(try archive.faults() == [])
        try archive.writeWithoutTransaction { try $0.execute(sql: "UPDATE source_data SET name = x'00ff'") }
        #expect(try archive.faults() == ["harbour: unreadable rows of source_data"])
        #expect(try known(archive) == nil)
    }
}
