import AppHealth
import Diagnostics
import Foundation
import GRDB
import Testing

@testable import Archive

/// What a check finds, what writing refuses, and what a backup keeps.
struct CheckingTests {
    private func filled(_ folder: TemporaryFolder) throws {
        let archive = try folder.archive()
        for at in 1...40 { try archive.record(.at(at * 10, sessions: at * 100)) }
        try archive.close()
    }

    private func faults(_ path: String) -> [String] {
        do throws(ArchiveError) {
            return try Archive(at: path, for: .reading).faults()
        } catch {
            return [error.diagnostic.id]
        }
    }

    @Test func aSoundArchiveHasNoFault() throws {
        let folder = try TemporaryFolder()
        try filled(folder)
        #expect(faults(folder.archivePath) == [])
    }

    /// Wherever bytes are overwritten, the check says so or every value is as it was; a damaged file takes no fetch.
    @Test func damagedBytesAreFoundAndNotWrittenTo() throws {
        let folder = try TemporaryFolder()
        try filled(folder)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.archivePath))
        let known = try Archive(at: folder.archivePath, for: .reading).known().health
        var (found, refused) = (0, 0)
        for page in stride(from: 0, to: whole.count, by: 4096) {
            var bytes = whole
            bytes.replaceSubrange(page..<(page + 8), with: [UInt8](repeating: 0xFF, count: 8))
            try bytes.write(to: URL(fileURLWithPath: folder.archivePath))
            let isFound = !faults(folder.archivePath).isEmpty
            found += isFound ? 1 : 0
            if !isFound {
                #expect(try Archive(at: folder.archivePath, for: .reading).known().health == known, "\(page)")
            }
            do throws(ArchiveError) {
                try Archive(at: folder.archivePath, for: .writing).close()
            } catch {
                refused += 1
                #expect(try Data(contentsOf: URL(fileURLWithPath: folder.archivePath)) == bytes, "\(page)")
            }
            #expect(isFound || refused < found + 1)
        }
        #expect(found >= whole.count / 4096 - 1 && refused > 0, "\(found) found, \(refused) refused")
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON health_day BEGIN DELETE FROM health_day; END",
        "CREATE VIEW v AS SELECT 1", "CREATE TABLE more (a)", "CREATE INDEX i ON health_day (date)",
        "DROP TABLE alert", "ALTER TABLE alert ADD COLUMN extra TEXT",
    ])
    func aForeignSchemaIsNeitherReadNorWritten(statement: String) throws {
        let folder = try TemporaryFolder()
        try filled(folder)
        let queue = try DatabaseQueue(path: folder.archivePath)
        try queue.write { try $0.execute(sql: statement) }
        try queue.close()
        for purpose in [Archive.Purpose.reading, .writing] {
            do throws(ArchiveError) {
                _ = try Archive(at: folder.archivePath, for: purpose)
                #expect(Bool(false), "\(statement)")
            } catch {
                #expect(error.diagnostic.id == "archive.foreign-schema", "\(error)")
            }
        }
    }

    /// Whoever could read the archive, such as a group that builds, can read the restored one.
    @Test(arguments: [0o600, 0o640, 0o644]) func aRestoredArchiveHasTheRightsOfTheOneBefore(rights: Int)
        throws
    {
        let folder = try TemporaryFolder()
        try filled(folder)
        let backup = folder.path + "/backup.sqlite"
        try Archive(at: folder.archivePath, for: .reading).backUp(to: backup)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: folder.archivePath)
        _ = try Archive.restore(folder.archivePath, from: backup)
        let found = try FileManager.default.attributesOfItem(atPath: folder.archivePath)[.posixPermissions]
        #expect(found as? Int == rights)
    }

    /// A pipe in the place of a file, or a device such as /dev/null, stays what it is; a link is followed.
    @Test func noArchiveAndNoBackupTakesThePlaceOfWhatIsNoFile() throws {
        let folder = try TemporaryFolder()
        try filled(folder)
        let (pipe, link) = (folder.path + "/pipe", folder.path + "/link")
        #expect(mkfifo(pipe, 0o600) == 0)
        let archive = try Archive(at: folder.archivePath, for: .reading)
        #expect(throws: ArchiveError.self) { try archive.backUp(to: pipe) }
        #expect(throws: ArchiveError.notAnArchive(path: pipe)) { try Archive(at: pipe, for: .writing) }
        #expect(
            try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
                != .typeRegular)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "copy.sqlite")
        try archive.backUp(to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "copy.sqlite")
        #expect(try Archive(at: folder.path + "/copy.sqlite", for: .reading).faults() == [])
    }

    @Test func aBackupIsWholeAlsoWhileSomebodyWrites() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.archive()
        try writer.record(.at(10, sessions: 5))
        let backup = folder.path + "/backup.sqlite"
        try Archive(at: folder.archivePath, for: .reading).backUp(to: backup)
        try writer.record(.at(20, sessions: 6))
        #expect(faults(backup) == [])
        #expect(try Archive(at: backup, for: .reading).known().health.map(\.sessions) == [5])
        let rights = try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
    }

    /// The place of a copy is at fault, not the archive; of a restore that of the archive, not that of the backup.
    @Test func aCopyThatCannotBeWrittenIsNamed() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/file"))
        for (place, reason) in [
            (folder.path + "/none/b.sqlite", "No such file or directory"),
            (folder.path + "/file/b.sqlite", "Not a directory"),
        ] {
            #expect(throws: ArchiveError.uncopied(path: place, reason: reason)) {
                try archive.backUp(to: place)
            }
            #expect(throws: ArchiveError.uncopied(path: place, reason: reason)) {
                try Archive.restore(place, from: folder.archivePath)
            }
        }
    }

    /// A pipe or a device is never replaced, and through a link the copy is where the link leads.
    @Test func aCopyReplacesFilesAlone() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let (pipe, link) = (folder.path + "/pipe", folder.path + "/link")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(
            throws: ArchiveError.uncopied(
                path: pipe, reason: "it is a pipe, a socket or a device, not a file")
        ) { try archive.backUp(to: pipe) }
        #expect(ArchiveFiles.isNoFile(pipe))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "copy.sqlite")
        try archive.backUp(to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "copy.sqlite")
        #expect(faults(folder.path + "/copy.sqlite") == [])
    }

    @Test func aBackupTakesThePlaceAndTheOldArchiveStays() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let backup = folder.path + "/backup.sqlite"
        try archive.backUp(to: backup)
        try archive.record(.at(20, sessions: 6))
        try archive.close()
        let old = try Archive.restore(folder.archivePath, from: backup)
        #expect(try Archive(at: folder.archivePath, for: .reading).known().health.map(\.sessions) == [5])
        let kept = try #require(old)
        #expect(try Archive(at: kept, for: .reading).known().health.map(\.sessions) == [6])
        #expect(faults(folder.archivePath) == [])
    }

    /// An archive whose newest value is in its log alone, as a killed writer leaves it.
    private func killed(_ folder: TemporaryFolder) throws {
        let writer = try Archive(at: folder.path + "/writer.sqlite", for: .writing)
        try writer.record(.at(10, sessions: 5))
        try writer.close()
        let open = try Archive(at: folder.path + "/writer.sqlite", for: .writing)
        try open.record(.at(20, sessions: 6))
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/writer.sqlite" + ending, toPath: folder.archivePath + ending)
        }
        #expect(FileManager.default.fileExists(atPath: folder.archivePath + "-wal"))
    }

    private func backup(in folder: TemporaryFolder) throws -> String {
        let archive = try Archive(at: folder.path + "/other.sqlite", for: .writing)
        try archive.record(.at(10, sessions: 4))
        let backup = folder.path + "/backup.sqlite"
        try archive.backUp(to: backup)
        return backup
    }

    /// What a restore did before it was killed: nothing, or all but the last rename.
    @Test(arguments: [false, true])
    func whatIsInTheLogStaysInTheOldArchive(isInterrupted: Bool) throws {
        let folder = try TemporaryFolder()
        try killed(folder)
        let backup = try backup(in: folder)
        let (file, old) = (folder.archivePath, folder.archivePath + ".before-restore")
        if isInterrupted {
            try FileManager.default.copyItem(atPath: backup, toPath: ArchiveFiles.draft(of: file))
            try FileManager.default.linkItem(atPath: file, toPath: old)
            try FileManager.default.moveItem(atPath: file + "-wal", toPath: old + "-wal")
        }
        #expect(try Archive.restore(file, from: backup) == old)
        #expect(try Archive(at: file, for: .reading).known().health.map(\.sessions) == [4])
        #expect(try Archive(at: old, for: .reading).known().health.map(\.sessions) == [6])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(
            names.filter { $0.hasPrefix("plimsoll") }.sorted() == [
                "plimsoll.sqlite", "plimsoll.sqlite.before-restore",
            ])
    }

    /// A log from before the file was last written is not its own any more; played back, it would damage it.
    @Test func aLogOfAnEarlierStateIsNotTakenBack() throws {
        let folder = try TemporaryFolder()
        try killed(folder)
        let backup = try backup(in: folder)
        let (file, old) = (folder.archivePath, folder.archivePath + ".before-restore")
        try FileManager.default.linkItem(atPath: file, toPath: old)
        try FileManager.default.moveItem(atPath: file + "-wal", toPath: old + "-wal")
        let next = try folder.archive()
        try next.record(.at(30, sessions: 7))
        try next.close()
        #expect(try Archive.restore(file, from: backup) == old)
        #expect(try Archive(at: old, for: .reading).known().health.map(\.sessions) == [7])
        #expect(faults(old) == [])
    }

    /// One backup after the other, until it is the right one: no restore takes what an earlier one put aside.
    @Test func eachRestoreKeepsTheArchiveBefore() throws {
        let folder = try TemporaryFolder()
        try killed(folder)
        let backup = try backup(in: folder)
        let (file, old) = (folder.archivePath, folder.archivePath + ".before-restore")
        for name in [old, old + "-2", old + "-3"] {
            #expect(try Archive.restore(file, from: backup) == name)
        }
        let sessions = try [old, old + "-2", old + "-3"].map { name in
            try Archive(at: name, for: .reading).known().health.map(\.sessions)
        }
        #expect(sessions == [[6], [4], [4]])
        // What was put aside may be restored, and stays too.
        #expect(try Archive.restore(file, from: old) == old + "-4")
        #expect(try Archive(at: file, for: .reading).known().health.map(\.sessions) == [6])
        #expect(faults(old) == [])
    }

    @Test func aFailedRestoreLeavesNoDraft() throws {
        let folder = try TemporaryFolder()
        try filled(folder)
        let backup = try backup(in: folder)
        // Folders in all places for the old archive, none of which is replaced.
        let blocked = folder.archivePath + ".before-restore"
        for place in [blocked] + (2...99).map({ "\(blocked)-\($0)" }) {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        }
        #expect(throws: ArchiveError.self) { try Archive.restore(folder.archivePath, from: backup) }
        #expect(faults(folder.archivePath) == [])
        #expect(!FileManager.default.fileExists(atPath: ArchiveFiles.draft(of: folder.archivePath)))
    }

    @Test func theSecretStaysAndGoesAlong() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let secret = try archive.secret()
        try archive.record(.at(10, sessions: 5))
        try archive.backUp(to: folder.path + "/backup.sqlite")
        try archive.close()
        #expect(secret.count == 32 && Set(secret).count > 1)
        #expect(try Archive(at: folder.archivePath, for: .reading).secret() == secret)
        #expect(try Archive(at: folder.path + "/backup.sqlite", for: .reading).secret() == secret)
        #expect(try TemporaryFolder().archive().secret() != secret)
    }

    @Test func aDamagedBackupRestoresNothing() throws {
        let folder = try TemporaryFolder()
        try filled(folder)
        let backup = folder.path + "/backup.sqlite"
        try Data("SQLite format 3\0 and nothing more".utf8).write(to: URL(fileURLWithPath: backup))
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.archivePath))
        #expect(throws: ArchiveError.self) { try Archive.restore(folder.archivePath, from: backup) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.archivePath)) == before)
        #expect(throws: ArchiveError.missing(path: folder.path + "/none")) {
            try Archive.restore(folder.archivePath, from: folder.path + "/none")
        }
    }
}
