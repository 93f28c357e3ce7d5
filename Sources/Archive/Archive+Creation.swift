import GRDB
import Glibc

extension Archive {
    /// Makes an empty archive: under another name beside its place, where it is brought to the disk, and then moved
    /// there whole. Killed at any moment it leaves no archive, or a whole one.
    static func create(_ file: String) throws {
        let draft = file + ".new"
        remove(draft)
        do {
            try writeEmptyArchive(to: draft)
            try synchronize(draft)
            // A log without its database is nobody's; beside a new one SQLite would take it for its own.
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

    /// Writes all steps of the format without bringing each to the disk: nobody knows the file yet.
    private static func writeEmptyArchive(to draft: String) throws {
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

    private static func remove(_ draft: String) {
        for ending in [""] + endings { unlink(draft + ending) }
    }
}
