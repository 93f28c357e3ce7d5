import Foundation
import GRDB

/// Everything that was ever fetched, in one SQLite file, append-only.
///
/// A value that changes gets a new revision; the older ones stay, so that the archive can be read as it was
/// known at any instant. Values in SQL are typed columns; days and instants are integers.
///
/// ```swift
/// let archive = try Archive(at: "plimsoll.sqlite", for: .writing)
/// let summary = try archive.record(snapshot)
/// let (history, warnings) = try archive.history(of: app, sources: [source], asOf: now)
/// ```
package struct Archive: Sendable {
    /// What an archive is opened for.
    package enum Purpose: Sendable {
        /// Reading; makes no file and changes no format. Works on a read-only medium.
        case reading
        /// Reading and writing; makes the file and brings its format up to date.
        case writing
    }

    /// The file.
    package let path: String
    let database: any DatabaseWriter

    /// Opens the archive; the folder must exist.
    ///
    /// A writer should hold the `ArchiveLock` first; a reader needs none.
    package init(at path: String, for purpose: Purpose) throws(ArchiveError) {
        self.path = path
        switch purpose {
        case .reading: database = try Self.openForReading(path)
        case .writing: database = try Self.openForWriting(path)
        }
    }

    /// Closes the file and merges its write-ahead log; without this it happens when the last copy is gone.
    package func close() throws(ArchiveError) {
        do {
            // Only a writing connection that closes last merges the log into the file.
            (database as? DatabasePool)?.invalidateReadOnlyConnections()
            try database.close()
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    /// The bytes on disk, those of the write-ahead log included.
    package var fileSize: Int {
        ["", "-wal"].reduce(0) { $0 + Self.size(of: path + $1) }
    }

    init(path: String, database: any DatabaseWriter) {
        self.path = path
        self.database = database
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            return try database.read(body)
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            return try database.write(body)
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    /// Bytes of a file; zero when there is none.
    static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
