import AppHealth
import Diagnostics
import Foundation
import GRDB
import Testing

@testable import Archive

struct OpeningTests {
    @Test func readingMakesNoFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ArchiveError.missing(path: folder.archivePath)) {
            try Archive(at: folder.archivePath, for: .reading)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func archiveIsReadWhileAnotherWrites() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.archive()
        try writer.record(.at(10, sessions: 5))
        let reader = try Archive(at: folder.archivePath, for: .reading)
        #expect(try reader.known().health.first?.sessions == 5)
        try writer.write { database in
            try database.execute(sql: "DELETE FROM health_day")
            #expect(try reader.known().health.first?.sessions == 5)
        }
        #expect(try reader.known().health == [])
    }

    @Test func closedArchiveIsOneFileAndOpensAgain() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try archive.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plimsoll.sqlite"])
        #expect(try Archive(at: folder.archivePath, for: .reading).known().health.first?.sessions == 5)
        #expect(try folder.archive().known().health.first?.sessions == 5)
    }

    @Test func unchangingFileIsReadWithoutFilesNextToIt() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try archive.close()
        let reader = try Archive(at: folder.archivePath, for: .reading)
        #expect(try reader.known().health.first?.sessions == 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plimsoll.sqlite"])
        #expect(throws: ArchiveError.readOnly(path: folder.archivePath)) {
            try reader.record(.at(20, sessions: 6))
        }
    }

    /// A log whose index can neither be read nor made, as on a medium where nothing may be written.
    @Test func unmergedChangesAreNotPassedOver() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let copy = try folder.copyArchive()
        try FileManager.default.createSymbolicLink(
            atPath: copy + "-shm", withDestinationPath: "/proc/nowhere/shm")
        #expect(throws: ArchiveError.unmerged(path: copy)) { try Archive(at: copy, for: .reading) }
        try FileManager.default.removeItem(atPath: copy + "-shm")
        #expect(try Archive(at: copy, for: .reading).known().health.first?.sessions == 5)
    }

    /// Without a log next to it, a part of a change that was broken off is in the file.
    @Test func anUnfinishedChangeWaitsForTheNextWriter() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let copy = try archive.writeWithoutTransaction { database in
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "PRAGMA cache_size = 2; BEGIN IMMEDIATE; DELETE FROM health_day")
            for number in 0..<500 {
                try database.execute(
                    sql: "INSERT INTO issue_name (source_id, name) VALUES (1, ?)",
                    arguments: ["\(number)" + String(repeating: "x", count: 500)])
            }
            let copy = try folder.copyArchive()
            try FileManager.default.copyItem(
                atPath: folder.archivePath + "-journal", toPath: copy + "-journal")
            try database.execute(sql: "ROLLBACK")
            return copy
        }
        let interrupted = ArchiveError.interrupted(path: copy)
        #expect(throws: interrupted) { try Archive(at: copy, for: .reading) }
        #expect(!interrupted.isDamage)
        try Archive(at: copy, for: .writing).close()
        #expect(try Archive(at: copy, for: .reading).known().health.first?.sessions == 5)
    }

    @Test(arguments: [Archive.Purpose.reading, .writing])
    func randomBytesAreCorrupt(_ purpose: Archive.Purpose) throws {
        let folder = try TemporaryFolder()
        let bytes = Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
        try bytes.write(to: URL(fileURLWithPath: folder.archivePath))
        try check(folder, purpose, "archive.corrupt")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.archivePath)) == bytes)
    }

    @Test func damagedPagesAreCorrupt() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(
            .at(10) { snapshot in
                snapshot.issues = (0..<2000).map { AppHealth.Issue(id: "\($0)", title: "title \($0)") }
            })
        try archive.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.archivePath))
        bytes.resetBytes(in: bytes.count / 2..<bytes.count)
        try bytes.write(to: URL(fileURLWithPath: folder.archivePath))
        do {
            _ = try Archive(at: folder.archivePath, for: .reading).known()
            Testing.Issue.record("the damage was not seen")
        } catch let error as ArchiveError {
            #expect(error.diagnostic.id == "archive.corrupt")
        }
    }

    @Test(arguments: [Archive.Purpose.reading, .writing])
    func newerFormatIsRefusedAndLeftAsItIs(_ purpose: Archive.Purpose) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('addTides')") }
        try archive.close()
        #expect(throws: ArchiveError.newerFormat(path: folder.archivePath, migrations: ["addTides"])) {
            try Archive(at: folder.archivePath, for: purpose)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plimsoll.sqlite"])
    }

    @Test(arguments: [Archive.Purpose.reading, .writing])
    func databaseOfAnotherProgramIsLeftAsItIs(_ purpose: Archive.Purpose) throws {
        let folder = try TemporaryFolder()
        let foreign = try DatabaseQueue(path: folder.archivePath)
        try foreign.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
        try foreign.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.archivePath))
        try check(folder, purpose, "archive.not-an-archive")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.archivePath)) == bytes)
    }

    @Test func emptyFileBecomesAnArchiveOnlyWhenWriting() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.archivePath))
        try check(folder, .reading, "archive.missing")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["plimsoll.sqlite"])
        #expect(try folder.archive().apps() == [])
    }

    @Test func archiveThatLacksAMigrationIsBroughtUpToDateOnlyWhenWriting() throws {
        let folder = try TemporaryFolder()
        let old = try DatabaseQueue(path: folder.archivePath)
        try old.write { try $0.execute(sql: "PRAGMA application_id = \(ArchiveFormat.applicationID)") }
        try old.close()
        try check(folder, .reading, "archive.older-format")
        #expect(try folder.archive().apps() == [])
    }

    @Test func folderThatIsAFileCannotHoldAnArchive() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let path = folder.path + "/file/plimsoll.sqlite"
        do {
            _ = try Archive(at: path, for: .writing)
            Testing.Issue.record("it opened")
        } catch {
            #expect(error.diagnostic.id == "archive.cannot-open")
            #expect(error.diagnostic.location == .file(path: path))
        }
        #expect(throws: ArchiveError.missing(path: path)) { try Archive(at: path, for: .reading) }
    }

    @Test func nameThatLooksLikeAnAddressIsAName() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file:a?mode=memory#%41.sqlite"
        let archive = try Archive(at: path, for: .writing)
        try archive.record(.at(10, sessions: 5))
        try archive.close()
        #expect(FileManager.default.fileExists(atPath: path))
        let reader = try Archive(at: path, for: .reading)
        #expect(try reader.known().health.first?.sessions == 5)
    }

    private func check(_ folder: TemporaryFolder, _ purpose: Archive.Purpose, _ id: String) throws {
        do {
            _ = try Archive(at: folder.archivePath, for: purpose)
            Testing.Issue.record("it opened")
        } catch {
            #expect(error.diagnostic.id == id)
        }
    }
}
