import Foundation
import GRDB

extension Archive {
    /// A pool, so that pages of several apps are read at the same time while a fetch writes.
    static func openForWriting(_ path: String) throws(ArchiveError) -> any DatabaseWriter {
        try refuseForeign(path)
        do {
            return try opening(path) {
                let pool = try DatabasePool(path: plain(path), configuration: configuration())
                try pool.read { try check($0, path) }
                try migrator.migrate(pool)
                return pool
            }
        } catch .cannotOpen(_, let reason) {
            // SQLite says the same of a folder that is missing and of one where it may make no file.
            throw isKeptFromWriting(beside: path)
                ? .readOnly(path: path) : .cannotOpen(path: path, reason: reason)
        }
    }

    private static func isKeptFromWriting(beside path: String) -> Bool {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return FileManager.default.fileExists(atPath: folder)
            && !FileManager.default.isWritableFile(atPath: folder)
    }

    /// A pool as for writing, because SQLite keeps readers and a writer apart through files that a reader
    /// may have to make; where that is not allowed, one that writes nothing.
    static func openForReading(_ path: String) throws(ArchiveError) -> any DatabaseWriter {
        guard size(of: path) > 0 else { throw .missing(path: path) }
        try refuseForeign(path)
        do {
            return try openChecked(path) {
                try DatabasePool(path: plain(path), configuration: configuration())
            }
        } catch .readOnly, .cannotOpen {
            return try openReadOnly(path)
        }
    }

    /// Opens where nothing may be written: SQLite then needs the files beside the database as they are.
    private static func openReadOnly(_ path: String) throws(ArchiveError) -> any DatabaseWriter {
        do {
            return try openChecked(path) {
                try DatabasePool(path: plain(path), configuration: configuration(readOnly: true))
            }
        } catch .readOnly, .cannotOpen {
            return try openImmutable(path)
        }
    }

    /// Tells SQLite that no one changes the file, which is true only without a write-ahead log.
    static func openImmutable(_ path: String) throws(ArchiveError) -> any DatabaseWriter {
        guard size(of: path + "-wal") == 0 else { throw .unmerged(path: path) }
        return try openChecked(path) {
            try DatabaseQueue(path: immutable(path), configuration: configuration(readOnly: true))
        }
    }

    private static func openChecked(
        _ path: String, _ open: () throws -> any DatabaseWriter
    ) throws(ArchiveError) -> any DatabaseWriter {
        try opening(path) {
            let database = try open()
            try database.read {
                try check($0, path)
                guard try migrator.hasCompletedMigrations($0) else {
                    throw ArchiveError.olderFormat(path: path)
                }
            }
            return database
        }
    }

    /// Looks at a database before it is opened for writing, which alone would change the journal mode of
    /// another program's file; first in the way that leaves no file beside it.
    private static func refuseForeign(_ path: String) throws(ArchiveError) {
        guard size(of: path) > 0 else { return }
        if size(of: path + "-wal") == 0 {
            do {
                return try look(at: immutable(path), path)
            } catch let refusal where refusal.isAboutFormat {
                throw refusal
            } catch {
                // SQLite was built without URIs, or the file changed meanwhile: the other way decides.
            }
        }
        do {
            try look(at: plain(path), path)
        } catch .cannotOpen, .readOnly {
            // In WAL mode without its log it cannot be looked at this way; its journal mode is not at risk.
        }
    }

    private static func look(at address: String, _ path: String) throws(ArchiveError) {
        try opening(path) {
            let queue = try DatabaseQueue(path: address, configuration: configuration(readOnly: true))
            try queue.read { try check($0, path) }
        }
    }

    private static func check(_ database: Database, _ path: String) throws {
        let unknown = try migrator.appliedIdentifiers(database).subtracting(migrator.migrations)
        let isArchive = try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID
        if !isArchive {
            let tables = "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
            guard try Int.fetchOne(database, sql: tables) == 0 else {
                throw ArchiveError.notAnArchive(path: path)
            }
        }
        if !unknown.isEmpty { throw ArchiveError.newerFormat(path: path, migrations: unknown.sorted()) }
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

    private static func configuration(readOnly: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        configuration.label = "Archive"
        return configuration
    }

    /// The path in a form that SQLite never takes for a URI.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }

    private static func immutable(_ path: String) -> String {
        let escaped = plain(path).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return "file:\(escaped ?? plain(path))?immutable=1"
    }
}

extension ArchiveError {
    /// The file is whole, but not this program's to write.
    fileprivate var isAboutFormat: Bool {
        switch self {
        case .notAnArchive, .newerFormat: true
        default: false
        }
    }
}
