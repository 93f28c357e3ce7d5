import Foundation
import GRDB
import Platform

/// Everything that was ever fetched, in one SQLite file, append-only.
///
/// A value that changes gets a new revision; the older ones stay, so that the archive can be read as it was
/// known at any instant. Values in SQL are typed columns; days and instants are integers.
///
/// At rest the archive is one file. While it is written, and after a writer was killed, a write-ahead log lies
/// next to it and belongs to it.
///
/// ```swift
/// let archive = try Archive(at: "plimsoll.sqlite", for: .writing)
/// let summary = try archive.record(snapshot)
/// let (history, warnings) = try archive.history(of: app, sources: [source], asOf: now)
/// ```
package struct Archive: Sendable {
    /// What an archive is opened for.
    package enum Purpose: Sendable {
        /// Reading; changes no byte of the archive, waits for no writer, and works on a read-only medium.
        case reading
        /// Reading as a whole, such as to copy or to check it; what an older version wrote is read as it is.
        case copying
        /// Reading and writing; makes the file and brings its format up to date.
        case writing
    }

    /// How the file is reached.
    private enum Access: Sendable {
        case reader(ArchiveReader)
        case writer(DatabaseQueue)
    }

    /// The file.
    package let path: String
    private let access: Access
    /// Whether an older version wrote it and it lacks steps of the format.
    package let isOlder: Bool

    /// Opens the archive; the folder must exist.
    ///
    /// A writer should hold the `ArchiveLock` first; a reader needs none.
    package init(at path: String, for purpose: Purpose) throws(ArchiveError) {
        self.path = path
        switch purpose {
        case .reading: (access, isOlder) = (.reader(try ArchiveOpening.forReading(path)), false)
        case .copying:
            let (reader, isOlder) = try ArchiveOpening.forCopying(path)
            (access, self.isOlder) = (.reader(reader), isOlder)
        case .writing: (access, isOlder) = (.writer(try ArchiveOpening.forWriting(path)), false)
        }
    }

    /// Closes the file and merges its write-ahead log; without this it happens when the last copy is gone.
    ///
    /// What was stored is on the disk before. A log that cannot be merged, because a reader needs it or the disk is
    /// full, stays next to the file: it is read with it, and the next writer merges it.
    package func close() throws(ArchiveError) {
        do {
            switch access {
            case .reader(let reader): try reader.close()
            case .writer(let queue):
                try merge(queue)
                try queue.close()
            }
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    private func merge(_ queue: DatabaseQueue) throws {
        do {
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError
            where [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL].contains(error.resultCode)
        {
            return
        }
    }

    /// The bytes on disk, those of the write-ahead log included.
    package var fileSize: Int {
        ArchiveFiles.files(of: path).reduce(0) { $0 + (ArchiveFileState($1)?.size ?? 0) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            switch access {
            case .reader(let reader): return try reader.read(body)
            case .writer(let queue): return try queue.read(body)
            }
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(ArchiveError) -> Value {
        guard case .writer(let queue) = access else { throw .readOnly(path: path) }
        do {
            return try queue.write(body)
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    /// Runs statements that manage a transaction themselves or must stand outside one.
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard case .writer(let queue) = access else { throw ArchiveError.readOnly(path: path) }
        return try queue.writeWithoutTransaction(body)
    }
}
