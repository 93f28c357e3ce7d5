import AppHealth
import Foundation
import GRDB
import Testing

@testable import Archive

/// Readers change nothing, see all that was committed, and need not care for writers.
struct ReadingTests {
    /// The bytes of the files of an archive and its log.
    private func bytes(_ path: String) -> [Data?] {
        ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) }
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// An archive that another program keeps in one of SQLite's ways, closed.
    @Test(arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
    func readingLeavesAnArchiveAtRestAsItIs(journal: String) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try archive.close()
        let other = try DatabaseQueue(path: folder.archivePath)
        try other.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = \(journal); UPDATE health_day SET sessions = 6")
        }
        try other.close()
        let (before, files) = (bytes(folder.archivePath), try names(folder))
        let reader = try Archive(at: folder.archivePath, for: .reading)
        #expect(try reader.known().health.first?.sessions == 6)
        #expect(bytes(folder.archivePath) == before)
        #expect(try names(folder) == files)
        try reader.close()
        #expect(bytes(folder.archivePath) == before)
        #expect(try names(folder) == files)
    }

    @Test func whatAKilledWriterCommittedIsReadAndLeftWhereItIs() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let copy = try folder.copyArchive()
        let before = bytes(copy)
        #expect(before.allSatisfy { ($0?.count ?? 0) > 0 })
        for _ in 0..<2 {
            let reader = try Archive(at: copy, for: .reading)
            #expect(try reader.known().health.first?.sessions == 5)
            try reader.close()
            #expect(bytes(copy) == before)
        }
        try Archive(at: copy, for: .writing).close()
        #expect(FileManager.default.fileExists(atPath: copy + "-wal") == false)
        #expect(try Archive(at: copy, for: .reading).known().health.first?.sessions == 5)
    }

    /// What another program does with the archive while it is read.
    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; DELETE FROM health_day"])
    func readerDoesNotWaitForAWriter(statement: String) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try archive.close()
        let other = try DatabaseQueue(path: folder.archivePath)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; \(statement)")
            let reader = try Archive(at: folder.archivePath, for: .reading)
            #expect(try reader.known().health.first?.sessions == 5)
            try database.execute(sql: "ROLLBACK")
        }
    }

    @Test func whatChangesDuringAReadIsReadAgain() throws {
        let folder = try TemporaryFolder()
        try folder.archive().record(.at(10, sessions: 5))
        let reader = try ArchiveReader(folder.archivePath)
        var looks: [Int?] = []
        let last = try reader.read { database in
            looks.append(try Int.fetchOne(database, sql: "SELECT count(*) FROM health_day"))
            if looks.count == 1 {
                let writer = try folder.archive()
                try writer.record(.at(20, sessions: 6))
                try writer.close()
            }
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM health_day")
        }
        #expect(looks == [1, 2])
        #expect(last == 2)
    }

    @Test func readerFollowsAWriterThatCameAndWent() throws {
        let folder = try TemporaryFolder()
        try folder.archive().record(.at(10, sessions: 5))
        let reader = try Archive(at: folder.archivePath, for: .reading)
        #expect(try reader.known().health.first?.sessions == 5)
        let writer = try folder.archive()
        try writer.record(.at(20, sessions: 6))
        #expect(try reader.known().health.first?.sessions == 6)
        try writer.record(.at(30, sessions: 7))
        try writer.close()
        #expect(try reader.known().health.first?.sessions == 7)
    }

    /// SQLite puts the log next to what a link leads to.
    @Test func linkLeadsToTheArchiveAndItsLog() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/disk", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.archivePath, withDestinationPath: "disk/a.sqlite")
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        #expect(ArchiveFiles.files(of: folder.archivePath).count == 2)
        #expect(try Archive(at: folder.archivePath, for: .reading).known().health.first?.sessions == 5)
        try archive.close()
        #expect(ArchiveFiles.files(of: folder.archivePath) == [folder.path + "/disk/a.sqlite"])
        #expect(try names(folder) == ["disk", "plimsoll.sqlite"])
        #expect(try Archive(at: folder.archivePath, for: .reading).known().health.first?.sessions == 5)
    }
}
