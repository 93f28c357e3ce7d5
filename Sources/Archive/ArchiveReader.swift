import GRDB
import Platform
import Synchronization

/// Reads an archive without changing a byte of it, and next to a writer.
///
/// At rest an archive is one file and is read as one that no one changes: SQLite then needs neither a lock nor a file
/// next to it. Whether that was true is checked after each read; what was read while the file changed is read again.
///
/// While a write-ahead log lies next to it, because a writer is at work or was killed, what was committed may be in the
/// log alone. Then readers and the writer go by the index of the log, SQLite's own way, in which neither waits for the
/// other; a connection that may only read leaves the archive and the log as they are.
final class ArchiveReader: Sendable {
    private struct AtRest {
        let stamp: ArchiveFileState
        let pool: DatabasePool
    }

    /// The place of the file, links followed.
    private let file: String
    private let path: String
    private let atRest = Mutex<AtRest?>(nil)
    private let duringWrites = Mutex<DatabasePool?>(nil)

    /// So often a read begins again because the file changed meanwhile.
    private static let attempts = 5

    /// - Throws: `ArchiveError.missing` when there is no file, or an empty one.
    init(_ path: String) throws(ArchiveError) {
        self.path = path
        file = ArchiveFiles.target(of: path)
        guard let stamp = ArchiveFileState(file) else { throw Self.absence(path) }
        guard stamp.size > 0 else { throw .missing(path: path) }
    }

    /// Reads in one transaction; the body may be run more than once.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        for _ in 0..<Self.attempts {
            guard let stamp = ArchiveFileState(file) else { throw Self.absence(path) }
            if hasLog { break }
            let result = Result { try pool(of: stamp).read(body) }
            guard ArchiveFileState(file) == stamp else { continue }
            if case .failure(let error as DatabaseError) = result, error.resultCode == .SQLITE_CANTOPEN {
                break  // SQLite was built without addresses, the only way to say that there is no writer.
            }
            return try result.get()
        }
        return try readDuringWrites(body)
    }

    /// Why nothing is known of a file that the system was just asked for: only what is not there is missing.
    private static func absence(_ path: String) -> ArchiveError {
        let refusal = SystemError()
        return [ENOENT, ENOTDIR].contains(refusal.number)
            ? .missing(path: path) : ArchiveError(refusal, path: path)
    }

    func close() throws {
        let pools = [
            atRest.withLock { $0.take()?.pool }, duringWrites.withLock { $0.take() },
        ]
        for pool in pools { try pool?.close() }
    }

    private var hasLog: Bool {
        ArchiveFiles.endings.contains { $0 != "-shm" && (ArchiveFileState(file + $0)?.size ?? 0) > 0 }
    }

    /// Whether a change that was broken off only waits for a command that writes.
    private var isUndoneByWriter: Bool {
        (ArchiveFileState(file + "-journal")?.size ?? 0) > 0
            && access(file, W_OK) == 0 && access(ArchiveFiles.folder(of: file), W_OK) == 0
    }

    /// Connections to the file as it was when it had the stamp; others hold pages that are no longer in it.
    private func pool(of stamp: ArchiveFileState) throws -> DatabasePool {
        try atRest.withLock { current in
            if let current, current.stamp == stamp { return current.pool }
            let pool = try DatabasePool(
                path: ArchiveFiles.unchanging(file),
                configuration: ArchiveOpening.configuration(readOnly: true))
            current = AtRest(stamp: stamp, pool: pool)
            return pool
        }
    }

    private func readDuringWrites<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            let pool = try duringWrites.withLock { current in
                let pool =
                    try current
                    ?? DatabasePool(
                        path: ArchiveFiles.plain(file),
                        configuration: ArchiveOpening.configuration(readOnly: true))
                current = pool
                return pool
            }
            return try pool.read(body)
        } catch let error as DatabaseError
            where hasLog && [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        {
            throw isUndoneByWriter ? ArchiveError.interrupted(path: path) : .unmerged(path: path)
        }
    }
}
