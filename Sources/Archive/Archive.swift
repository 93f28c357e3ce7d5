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

    /// Opens the archive; the folder must exist.
    ///
    /// A writer should hold the `ArchiveLock` first; a reader needs none.
    package init(at path: String, for purpose: Purpose) throws(ArchiveError) {
        self.path = path
        switch purpose {
        case .reading: access = .reader(try Self.openForReading(path))
        case .writing: access = .writer(try Self.openForWriting(path))
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
        Self.files(of: path).reduce(0) { $0 + (FileStamp($1)?.size ?? 0) }
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

extension Archive {
    /// What a database is to this program.
    enum Contents {
        /// An archive of the newest format.
        case archive
        /// An archive that lacks steps of the format.
        case older
        /// The beginning of an archive, in which nothing was ever stored: plimsoll 0.1 left it when it was killed, or
        /// the disk was full, while it made the file.
        case unfinished
    }

    /// Reports what a database is.
    ///
    /// - Throws: `ArchiveError` when it is another program's, or a newer version's.
    static func contents(of database: Database, _ path: String) throws -> Contents {
        guard try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            guard try isUnfinished(database) else { throw ArchiveError.notAnArchive(path: path) }
            return .unfinished
        }
        let applied = try migrator.appliedIdentifiers(database)
        let unknown = applied.subtracting(migrator.migrations)
        if !unknown.isEmpty { throw ArchiveError.newerFormat(path: path, migrations: unknown.sorted()) }
        let foreign = try foreignDefinitions(in: database, applied)
        if !foreign.isEmpty { throw ArchiveError.foreignSchema(path: path, names: foreign) }
        return try migrator.hasCompletedMigrations(database) ? .archive : .older
    }

    /// Removes what is in a file that was never finished, all of it or nothing.
    static func removeUnfinished(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            guard try isUnfinished(database) else { return .rollback }
            for table in try definitions(in: database).keys.sorted() {
                try database.execute(sql: "DROP TABLE \(table.quotedDatabaseIdentifier)")
            }
            return .commit
        }
    }

    /// Whether nothing but tables of the first step is in the file, as that step makes them, without a row of
    /// anybody's; and no one has put a mark on the file.
    private static func isUnfinished(_ database: Database) throws -> Bool {
        let marks = ["application_id", "user_version"]
        guard try marks.allSatisfy({ try Int.fetchOne(database, sql: "PRAGMA \($0)") == 0 }) else {
            return false
        }
        let found = try definitions(in: database)
        if found.isEmpty { return true }
        let step = try DatabaseQueue()
        try migrator.migrate(step, upTo: firstStep)
        let known = try step.read { try definitions(in: $0) }
        return try found.allSatisfy { table, definition in
            guard known[table] == definition else { return false }
            // The row that means all releases together is made with its table.
            let own = table == "version" ? "WHERE id <> 0" : ""
            let rows = "SELECT EXISTS (SELECT 1 FROM \(table.quotedDatabaseIdentifier) \(own))"
            return try Bool.fetchOne(database, sql: rows) == false
        }
    }

    /// What is in a file besides what the steps make, or otherwise than they make it: a trigger or a view of somebody
    /// else's would run in whatever reads or writes the archive.
    private static func foreignDefinitions(in database: Database, _ applied: Set<String>) throws -> [String] {
        let found = try definitions(in: database)
        guard let last = migrator.migrations.last(where: applied.contains) else { return found.keys.sorted() }
        let own = try DatabaseQueue()
        try migrator.migrate(own, upTo: last)
        let known = try own.read { try definitions(in: $0) }
        return Set(found.keys).union(known.keys).filter { found[$0] != known[$0] }.sorted()
    }

    /// The statement that made each table, view, trigger or index, by its name; without those that SQLite makes.
    private static func definitions(in database: Database) throws -> [String: String] {
        let sql =
            "SELECT name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        let rows = try Row.fetchAll(database, sql: sql)
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Archive {
    /// Makes an empty archive: under another name next to its place, where it is brought to the disk, and then moved
    /// there whole. Killed at any moment it leaves no archive, or a whole one.
    static func create(_ file: String) throws {
        let draft = file + ".new"
        remove(draft)
        do {
            try writeEmptyArchive(to: draft)
            try synchronize(draft)
            // A log without its database is no one's; next to a new one SQLite would take it for its own.
            for ending in endings { unlink(file + ending) }
            guard rename(draft, file) == 0 else { throw SystemError() }
        } catch {
            remove(draft)
            throw error
        }
        let folder = folder(of: file)
        // The folder may be as new as the archive.
        for path in [folder, Self.folder(of: folder)] { try synchronize(path) }
    }

    /// Writes all steps of the format without bringing each to the disk: no one knows the file yet.
    ///
    /// It is its owner's alone: issues hold foreign text. What SQLite puts next to it has the same rights.
    private static func writeEmptyArchive(to draft: String) throws {
        try makePrivateFile(draft)
        let queue = try DatabaseQueue(path: plain(draft), configuration: configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = OFF")
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = MEMORY")
        }
        try migrator.migrate(queue)
        _ = try queue.writeWithoutTransaction {
            try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }

    /// Makes an empty file that only its owner may read; one that is there is an error.
    static func makePrivateFile(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError() }
        Platform.close(descriptor)
    }

    /// Removes a database with what SQLite puts next to it.
    static func remove(_ draft: String) {
        for ending in [""] + endings { unlink(draft + ending) }
    }
}
