package import AppHealth
package import Diagnostics
import Files
import GRDB
import Platform

/// Why the archive could not be opened, read or written.
package enum ArchiveError: Error, Hashable, Sendable {
    /// There is no file, and reading makes none.
    case missing(path: String)
    /// The file or its folder cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// Another command writes; nil when it left no readable name.
    case held(path: String, by: ArchiveHolder?)
    /// The lock file cannot be made or locked; with the error number of the system.
    case unlockable(path: String, number: Int32)
    /// Another program kept the database locked for longer than the wait.
    case busy(path: String)
    /// The file carries migrations that this program does not know.
    case newerFormat(path: String, migrations: [String])
    /// The file lacks migrations, and reading makes none.
    case olderFormat(path: String)
    /// The file was begun and never finished; nothing is in it.
    case unfinished(path: String)
    /// The file has tables, views, triggers or indexes that are not those of an archive.
    case foreignSchema(path: String, names: [String])
    /// The file is a database, but another program's.
    case notAnArchive(path: String)
    /// The file is damaged or no database at all.
    case corrupt(path: String, reason: String)
    /// The disk, the quota or the largest size of the database is used up, or no more files can be made.
    case full(path: String, lacksFiles: Bool = false)
    /// Compacting needs more room at a place than there is; nothing was removed.
    case crowded(path: String, needed: Int, free: Int)
    /// The file or its folder may be read only.
    case readOnly(path: String)
    /// A copy of the archive cannot be written at a place; without a reason there is no space left for it.
    case uncopied(path: String, reason: String?, lacksFiles: Bool = false)
    /// What a killed writer left next to the file holds changes that are not in it, and cannot be read here.
    case unmerged(path: String)
    /// A writer was killed in the middle of a change, which the next one undoes: readers change nothing.
    case interrupted(path: String)
    /// The operating system refused a read or a write.
    case inputOutput(path: String, reason: String)
    /// Anything else that SQLite refused, with its result code.
    case sqlite(path: String, code: Int, reason: String)
}

/// Who holds the lock of an archive.
package struct ArchiveHolder: Hashable, Sendable {
    /// The number of the process.
    package var processID: Int
    /// The command it runs.
    package var command: String
    /// When it took the lock.
    package var since: Instant

    /// Makes a holder.
    package init(processID: Int, command: String, since: Instant) {
        self.processID = processID
        self.command = command
        self.since = since
    }
}

extension ArchiveError {
    /// Whether it is about what the file holds, not about why that could not be found out.
    package var isDamage: Bool {
        switch self {
        case .corrupt, .notAnArchive, .foreignSchema: true
        default: false
        }
    }
}

extension ArchiveError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let text = ArchiveErrorText(self)
        return .error(
            "archive.\(text.name)", text.summary, details: text.details, at: .file(path: path),
            hints: text.hints)
    }

    /// The file that the error is about.
    package var path: String {
        switch self {
        case .missing(let path), .cannotOpen(let path, _), .held(let path, _), .unlockable(let path, _),
            .busy(let path),
            .newerFormat(let path, _), .olderFormat(let path), .unfinished(let path),
            .foreignSchema(let path, _),
            .notAnArchive(let path),
            .corrupt(let path, _),
            .full(let path, _), .crowded(let path, _, _), .readOnly(let path), .uncopied(let path, _, _),
            .unmerged(let path), .interrupted(let path), .inputOutput(let path, _),
            .sqlite(let path, _, _):
            path
        }
    }
}

extension ArchiveHolder: CustomStringConvertible {
    /// `held by plimsoll fetch, process 4711, since 2026-11-20T06:00:00Z`.
    package var description: String { "held by plimsoll \(command), process \(processID), since \(since)" }
}

extension ArchiveError {
    /// Sorts what SQLite reports; statements and bound values stay out of the text.
    ///
    /// - Parameter room: what is left where the archive is. SQLite names a full disk, but not one that takes no more files.
    init(
        _ error: any Error, path: String, room: (String) -> FreeRoom? = { FreeRoom(nextTo: $0) }
    ) {
        if let known = error as? ArchiveError {
            self = known
            return
        }
        if let refusal = error as? SystemError ?? (error as? FileFailure).map({ SystemError($0.code) }) {
            self.init(refusal, path: path, room: room)
            return
        }
        guard let failure = error as? DatabaseError else {
            self = .sqlite(path: path, code: 0, reason: "\(type(of: error))")
            return
        }
        let reason = failure.message ?? "no reason given"
        switch failure.resultCode {
        case .SQLITE_CANTOPEN:
            self =
                systemReason(path).map { .cannotOpen(path: path, reason: $0) }
                ?? .lackOfRoom(path, room)
                ?? .cannotOpen(path: path, reason: openingReason(reason))
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damage(path, reason)
        case .SQLITE_FULL: self = .full(path: path, lacksFiles: room(path)?.lacksFiles ?? false)
        // The file shared by readers and writers could not be made as long as it must be.
        case .SQLITE_IOERR where failure.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly(path: path)
        case .SQLITE_IOERR:
            self =
                systemReason(path).map { .inputOutput(path: path, reason: $0) }
                ?? (reason == noReason ? .lackOfRoom(path, room) : nil)
                ?? .inputOutput(path: path, reason: refusalReason(failure, reason))
        default:
            self = .sqlite(path: path, code: Int(failure.extendedResultCode.rawValue), reason: reason)
        }
    }
}

extension ArchiveError {
    /// The same while an archive that is open was copied to a place: what has no room or may not be written is the copy.
    func whileCopying(
        to place: String, room: (String) -> FreeRoom? = { FreeRoom(nextTo: $0) }
    ) -> ArchiveError {
        switch self {
        case .full(_, let lacksFiles): .uncopied(path: place, reason: nil, lacksFiles: lacksFiles)
        case .cannotOpen where room(place)?.isUsedUp == true:
            .uncopied(path: place, reason: nil, lacksFiles: room(place)?.lacksFiles ?? false)
        case .readOnly: .uncopied(path: place, reason: "the file or its folder may not be written")
        case .cannotOpen(_, let reason): .uncopied(path: place, reason: reason)
        default: self
        }
    }

    /// That there is no room at the place of an archive; nil where there is some, or that is not known.
    private static func lackOfRoom(_ path: String, _ room: (String) -> FreeRoom?) -> ArchiveError? {
        room(path).flatMap { $0.isUsedUp ? .full(path: path, lacksFiles: $0.lacksFiles) : nil }
    }

    /// That a file is damaged, unless a part of it cannot be read: a disk that fails is damage to SQLite.
    static func damage(_ path: String, _ reason: String) -> ArchiveError {
        systemReason(path).map { .inputOutput(path: path, reason: $0) }
            ?? .corrupt(path: path, reason: reason)
    }
}

/// What SQLite says where it has no words for what the system refused.
private let noReason = "not an error"

/// What SQLite says of a file that it cannot open.
private func openingReason(_ reason: String) -> String {
    reason == noReason ? "the system did not let a file be opened or made" : reason
}

/// What SQLite says of a refused read or write. Of a write beyond the largest size of a file it knows no words.
private func refusalReason(_ failure: DatabaseError, _ reason: String) -> String {
    guard reason == noReason else { return reason }
    return failure.extendedResultCode == .SQLITE_IOERR_WRITE
        ? "a write was refused, as beyond the largest size of a file (ulimit -f)"
        : "SQLite error \(failure.extendedResultCode.rawValue)"
}

/// Why a file cannot be read to its end, in the system's words, which SQLite keeps to itself; nil when it can be.
private func systemReason(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? nil : String(cString: strerror(errno)) }
    defer { close(descriptor) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &piece, piece.count)
        if count < 0, errno != EINTR { return String(cString: strerror(errno)) }
        if count == 0 { return nil }
    }
}

extension ArchiveError {
    /// What an error number of the operating system means for the archive.
    init(
        _ error: SystemError, path: String, room: (String) -> FreeRoom? = { FreeRoom(nextTo: $0) }
    ) {
        let reason = String(cString: strerror(error.number))
        switch error.number {
        case EACCES, EPERM, EROFS: self = .readOnly(path: path)
        case ENOSPC, EDQUOT: self = .full(path: path, lacksFiles: room(path)?.lacksFiles ?? false)
        case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: self = .cannotOpen(path: path, reason: reason)
        default: self = .inputOutput(path: path, reason: reason)
        }
    }
}
