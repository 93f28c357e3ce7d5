import Files
import Foundation
import GRDB

/// Opens the file of an archive, and makes it when there is none.
enum ArchiveOpening {
    /// Opens without writing; the file must be an archive of the newest format.
    static func forReading(_ path: String) throws(ArchiveError) -> ArchiveReader {
        let (reader, isOlder) = try forCopying(path)
        if isOlder { throw .olderFormat(path: path) }
        return reader
    }

    /// Opens without writing; the file may be an archive of an older format.
    static func forCopying(_ path: String) throws(ArchiveError) -> (ArchiveReader, isOlder: Bool) {
        let reader = try ArchiveReader(path)
        let found = try opening(path) { try reader.read { try ArchiveFormat.contents(of: $0, path) } }
        if found == .unfinished { throw .unfinished(path: path) }
        return (reader, found == .older)
    }

    /// Opens for one writer, and makes the file when there is none.
    static func forWriting(_ path: String) throws(ArchiveError) -> DatabaseQueue {
        let file = ArchiveFiles.target(of: path)
        do throws(ArchiveError) {
            return try opening(path) { try makeReady(file, path) }
        } catch {
            // SQLite says the same of a folder that is missing and of one where it may make no file.
            guard case .cannotOpen = error, isKeptFromWriting(nextTo: file) else { throw error }
            throw .readOnly(path: path)
        }
    }

    private static func makeReady(_ file: String, _ path: String) throws -> DatabaseQueue {
        // A device or a pipe would be replaced by a file, for all programs of the machine.
        if ArchiveFiles.isNoFile(file) { throw ArchiveError.notAnArchive(path: path) }
        if (ArchiveFileState(file)?.size ?? 0) == 0 { try create(file) }
        try refuseForeign(path)
        let queue = try DatabaseQueue(path: ArchiveFiles.plain(file), configuration: configuration())
        // Once more: what another program was killed in could not be checked before.
        let found = try queue.read { try ArchiveFormat.contents(of: $0, path) }
        try queue.read { try refuseDamaged($0, path) }
        try queue.writeWithoutTransaction { database in
            try makeDurable(database)
            if found == .unfinished { try ArchiveFormat.removeUnfinished(database) }
        }
        try ArchiveFormat.migrator.migrate(queue)
        return queue
    }

    /// What is written into a damaged file may be lost, or spread the damage.
    static func refuseDamaged(_ database: Database, _ path: String) throws {
        let found = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard let found, found != "ok" else { return }
        throw isRefusedRead(found)
            ? ArchiveError.inputOutput(path: path, reason: found) : .damage(path, found)
    }

    /// Whether SQLite's check of a file could not read a page, as on a disk that fails: then nothing is known of what
    /// the file holds. It writes the result code of the read at the end of the line.
    static func isRefusedRead(_ fault: String) -> Bool {
        guard let mark = fault.range(of: "error code="),
            let code = Int(fault[mark.upperBound...].prefix(while: \.isNumber))
        else { return false }
        let inputOutput = Int(ResultCode.SQLITE_IOERR.rawValue)
        return code & 0xFF == inputOutput && code != Int(ResultCode.SQLITE_IOERR_SHORT_READ.rawValue)
    }

    /// A commit returns when it is on the disk, and readers do not wait for it.
    ///
    /// With a write-ahead log SQLite brings each commit to the disk only on request: `NORMAL`, which keeps the
    /// file whole, may lose the last commits when the power fails. Where the file system cannot hold a log, the file
    /// keeps its journal.
    private static func makeDurable(_ database: Database) throws {
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = FULL")
    }

    private static func isKeptFromWriting(nextTo file: String) -> Bool {
        let folder = ArchiveFiles.folder(of: file)
        return FileManager.default.fileExists(atPath: folder)
            && !FileManager.default.isWritableFile(atPath: folder)
    }

    /// Looks at a database before it is opened for writing, which alone would change the journal mode of
    /// another program's file.
    private static func refuseForeign(_ path: String) throws {
        do throws(ArchiveError) {
            let reader = try ArchiveReader(path)
            _ = try opening(path) { try reader.read { try ArchiveFormat.contents(of: $0, path) } }
            try opening(path) { try reader.close() }
        } catch {
            // Only a writer can look at a file in which another one was killed.
            switch error {
            case .cannotOpen, .readOnly, .unmerged, .interrupted: return
            default: throw error
            }
        }
    }

    private static func opening<Value>(
        _ path: String, _ body: () throws -> Value
    ) throws(ArchiveError) -> Value {
        do {
            return try body()
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    static func configuration(readOnly: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        configuration.label = "Archive"
        // What somebody else put into the schema of a file runs no function with effects.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
        return configuration
    }

    /// Makes an empty archive: under another name next to its place, where it is brought to the disk, and then moved
    /// there whole. Killed at any moment it leaves no archive, or a whole one.
    static func create(_ file: String) throws {
        let draft = ArchiveFiles.draft(of: file)
        ArchiveFiles.remove(draft)
        do {
            try writeEmptyArchive(to: draft)
            try syncFile(draft)
            // A log without its database is no one's; next to a new one SQLite would take it for its own.
            for ending in ArchiveFiles.endings { unlink(file + ending) }
            guard rename(draft, file) == 0 else { throw SystemError() }
        } catch {
            ArchiveFiles.remove(draft)
            throw error
        }
        let folder = ArchiveFiles.folder(of: file)
        // The folder may be as new as the archive.
        for path in [folder, ArchiveFiles.folder(of: folder)] { try syncListedFolder(path) }
    }

    /// Writes all steps of the format without bringing each to the disk: no one knows the file yet.
    ///
    /// It is its owner's alone: issues hold foreign text. What SQLite puts next to it has the same rights.
    private static func writeEmptyArchive(to draft: String) throws {
        try ArchiveFiles.makePrivateFile(draft)
        let queue = try DatabaseQueue(path: ArchiveFiles.plain(draft), configuration: configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = OFF")
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = MEMORY")
        }
        try ArchiveFormat.migrator.migrate(queue)
        _ = try queue.writeWithoutTransaction {
            try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }
}
