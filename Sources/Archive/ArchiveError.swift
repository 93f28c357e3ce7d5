package import AppHealth
package import Diagnostics
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
        let (name, summary, details, hints) = text
        return .error("archive.\(name)", summary, details: details, at: .file(path: path), hints: hints)
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

    private typealias Text = (name: String, summary: String, details: [String], hints: [String])

    private var text: Text {
        switch self {
        case .missing:
            ("missing", "No archive yet", [], ["run 'plimsoll fetch'"])
        case .cannotOpen(_, let reason):
            (
                "cannot-open", "Archive cannot be opened", [reason],
                [
                    reason == String(cString: strerror(EACCES))
                        ? "let the user that runs this read and write it, and enter its folder"
                        : "check that its folder exists, the disk, and the limit of open files"
                ]
            )
        case .held(_, let holder):
            (
                "held", "Archive is in use", holder.map { [$0.description] } ?? [],
                ["wait, then retry"]
            )
        case .unlockable(let path, let number):
            (
                // As the same refusal of the archive itself is called.
                ArchiveError(SystemError(number), path: path).text.name,
                "Lock file of the archive cannot be used", [String(cString: strerror(number))],
                [lockHint(number)]
            )
        case .busy:
            (
                "busy", "Archive is locked by another program", [],
                ["close programs that have the file open, then retry"]
            )
        case .readOnly:
            (
                "read-only", "Archive is read-only", [],
                ["check the permissions of the file and of its folder"]
            )
        case .full(_, let lacksFiles):
            (
                "full", "No space left for the archive\(lacksFiles ? noFiles : "")",
                ["what was being written is not stored, not even in part"],
                [lacksFiles ? "remove files that are not needed, then retry" : "free some space, then retry"]
            )
        case .crowded(_, let needed, let free):
            (
                "full", "No space left to compact the archive",
                ["needs \(kilobytes(needed)) here, \(kilobytes(free)) are free", "nothing was removed"],
                ["free some space, then retry"]
            )
        case .uncopied(_, nil, let lacksFiles):
            (
                "full", "No space left for a copy of the archive\(lacksFiles ? noFiles : "")",
                ["the archive is unchanged"],
                [
                    lacksFiles
                        ? "remove files that are not needed there, then retry"
                        : "free some space there, then retry"
                ]
            )
        case .uncopied(_, let reason?, _):
            (
                "copy", "Copy of the archive cannot be written", [reason],
                ["check that its folder exists and may be written to, or choose another place"]
            )
        case .inputOutput(_, let reason):
            (
                "io", "Archive cannot be read or written", lines(of: reason),
                ["check the disk and the file system that hold it"]
            )
        case .sqlite(_, let code, let reason):
            (
                "sqlite", "Unexpected SQLite error", ["SQLite error \(code): \(reason)"],
                ["report this bug"]
            )
        case .newerFormat(_, let migrations):
            (
                "newer-format", "Archive was written by a newer version of plimsoll",
                ["unknown here: \(migrations.joined(separator: ", "))", "the file is unchanged"],
                ["install the newer version of plimsoll"]
            )
        case .olderFormat:
            (
                "older-format", "Archive was written by an older version of plimsoll", [],
                ["run 'plimsoll fetch' once to update it"]
            )
        case .unfinished:
            (
                "unfinished", "Archive was never finished", ["nothing is stored in it"],
                ["run 'plimsoll fetch' to finish it"]
            )
        case .foreignSchema(_, let names):
            (
                "foreign-schema", "Archive holds something that plimsoll did not put there",
                [
                    "not as an archive has it: \(names.prefix(10).joined(separator: ", "))",
                    "the file is unchanged",
                ],
                ["restore it from a backup: plimsoll archive restore", "ask who changed it"]
            )
        case .notAnArchive:
            (
                "not-an-archive", "File is the database of another program, or no file",
                ["the file is unchanged"],
                ["use another file as the archive"]
            )
        case .unmerged:
            (
                "unmerged", "Archive has changes that are still in its log or journal",
                ["they cannot be read in a read-only place; none are lost"],
                [
                    "run 'plimsoll fetch' where the archive can be written, to merge them",
                    "or copy the archive and the files next to it to a writable folder, and read them there",
                ]
            )
        case .interrupted:
            (
                "interrupted", "Archive has an unfinished change",
                ["a command was ended while it wrote; what was stored before is safe"],
                ["run 'plimsoll fetch' with this file as 'archive', which undoes the unfinished change"]
            )
        case .corrupt(_, let reason):
            (
                "corrupt", "Archive is damaged or not an archive", lines(of: reason),
                [
                    "restore it from a backup: plimsoll archive restore",
                    "save what can be read with: sqlite3 FILE .recover",
                ]
            )
        }
    }
}

/// What is said of a file system that has room for bytes, and for no more files.
private let noFiles = " (no free inodes)"

/// `1024 kB`, rounded up.
private func kilobytes(_ bytes: Int) -> String { "\(bytes / 1000 + (bytes % 1000 == 0 ? 0 : 1)) kB" }

/// What lets the lock file of an archive be made.
private func lockHint(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM, EROFS: "let the user that runs this write to it and to its folder"
    case ENOSPC, EDQUOT: "free some space, then retry"
    case EISDIR, ELOOP: "move away what has its name, which is no file of plimsoll"
    case EMFILE, ENFILE: "raise the limit of open files"
    case ENOENT, ENOTDIR: "check that its folder exists"
    default: "check the disk and the file system that hold it"
    }
}

/// The lines of what SQLite says: its check of a file puts several into one text.
private func lines(of reason: String) -> [String] {
    reason.split(whereSeparator: \.isNewline).map(String.init)
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
        if let refusal = error as? SystemError {
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
