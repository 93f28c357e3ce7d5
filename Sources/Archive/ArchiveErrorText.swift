import Platform

/// What is said of an error of the archive.
struct ArchiveErrorText {
    /// The end of the diagnostic's id.
    let name: String
    let summary: String
    let details: [String]
    let hints: [String]

    private init(_ name: String, _ summary: String, details: [String] = [], hints: [String]) {
        (self.name, self.summary, self.details, self.hints) = (name, summary, details, hints)
    }

    init(_ error: ArchiveError) {
        switch error {
        case .missing: self = .missing
        case .cannotOpen(_, let reason): self = .cannotOpen(reason)
        case .held(_, let holder): self = .held(holder)
        case .unlockable(let path, let number): self = .unlockable(path, number)
        case .busy: self = .busy
        case .readOnly: self = .readOnly
        case .full(_, let lacksFiles): self = .full(lacksFiles)
        case .crowded(_, let needed, let free): self = .crowded(needed, free)
        case .uncopied(_, nil, let lacksFiles): self = .noRoomForCopy(lacksFiles)
        case .uncopied(_, let reason?, _): self = .uncopied(reason)
        case .inputOutput(_, let reason): self = .inputOutput(reason)
        case .sqlite(_, let code, let reason): self = .sqlite(code, reason)
        case .newerFormat(_, let migrations): self = .newerFormat(migrations)
        case .olderFormat: self = .olderFormat
        case .unfinished: self = .unfinished
        case .foreignSchema(_, let names): self = .foreignSchema(names)
        case .notAnArchive: self = .notAnArchive
        case .unmerged: self = .unmerged
        case .interrupted: self = .interrupted
        case .corrupt(_, let reason): self = .corrupt(reason)
        }
    }
}

/// Where the archive is, and who else uses it.
extension ArchiveErrorText {
    private static let missing = ArchiveErrorText(
        "missing", "No archive yet", hints: ["run 'plimsoll fetch'"])

    private static func cannotOpen(_ reason: String) -> ArchiveErrorText {
        ArchiveErrorText(
            "cannot-open", "Archive cannot be opened", details: [reason],
            hints: [
                reason == String(cString: strerror(EACCES))
                    ? "let the user that runs this read and write it, and enter its folder"
                    : "check that its folder exists, the disk, and the limit of open files"
            ])
    }

    private static func held(_ holder: ArchiveHolder?) -> ArchiveErrorText {
        ArchiveErrorText(
            "held", "Archive is in use", details: holder.map { [$0.description] } ?? [],
            hints: ["wait, then retry"])
    }

    private static func unlockable(_ path: String, _ number: Int32) -> ArchiveErrorText {
        ArchiveErrorText(
            // As the same refusal of the archive itself is called.
            ArchiveErrorText(ArchiveError(SystemError(number), path: path)).name,
            "Lock file of the archive cannot be used", details: [String(cString: strerror(number))],
            hints: [lockHint(number)])
    }

    private static let busy = ArchiveErrorText(
        "busy", "Archive is locked by another program",
        hints: ["close programs that have the file open, then retry"])

    private static let readOnly = ArchiveErrorText(
        "read-only", "Archive is read-only",
        hints: ["check the permissions of the file and of its folder"])
}

/// What the place of the archive lacks or refuses.
extension ArchiveErrorText {
    private static func full(_ lacksFiles: Bool) -> ArchiveErrorText {
        ArchiveErrorText(
            "full", "No space left for the archive\(lacksFiles ? noFiles : "")",
            details: ["what was being written is not stored, not even in part"],
            hints: [
                lacksFiles ? "remove files that are not needed, then retry" : "free some space, then retry"
            ])
    }

    private static func crowded(_ needed: Int, _ free: Int) -> ArchiveErrorText {
        ArchiveErrorText(
            "full", "No space left to compact the archive",
            details: [
                "needs \(kilobytes(needed)) here, \(kilobytes(free)) are free", "nothing was removed",
            ],
            hints: ["free some space, then retry"])
    }

    private static func noRoomForCopy(_ lacksFiles: Bool) -> ArchiveErrorText {
        ArchiveErrorText(
            "full", "No space left for a copy of the archive\(lacksFiles ? noFiles : "")",
            details: ["the archive is unchanged"],
            hints: [
                lacksFiles
                    ? "remove files that are not needed there, then retry"
                    : "free some space there, then retry"
            ])
    }

    private static func uncopied(_ reason: String) -> ArchiveErrorText {
        ArchiveErrorText(
            "copy", "Copy of the archive cannot be written", details: [reason],
            hints: ["check that its folder exists and may be written to, or choose another place"])
    }

    private static func inputOutput(_ reason: String) -> ArchiveErrorText {
        ArchiveErrorText(
            "io", "Archive cannot be read or written", details: lines(of: reason),
            hints: ["check the disk and the file system that hold it"])
    }

    private static func sqlite(_ code: Int, _ reason: String) -> ArchiveErrorText {
        ArchiveErrorText(
            "sqlite", "Unexpected SQLite error", details: ["SQLite error \(code): \(reason)"],
            hints: ["report this bug"])
    }
}

/// What the file holds.
extension ArchiveErrorText {
    private static func newerFormat(_ migrations: [String]) -> ArchiveErrorText {
        ArchiveErrorText(
            "newer-format", "Archive was written by a newer version of plimsoll",
            details: ["unknown here: \(migrations.joined(separator: ", "))", "the file is unchanged"],
            hints: ["install the newer version of plimsoll"])
    }

    private static let olderFormat = ArchiveErrorText(
        "older-format", "Archive was written by an older version of plimsoll",
        hints: ["run 'plimsoll fetch' once to update it"])

    private static let unfinished = ArchiveErrorText(
        "unfinished", "Archive was never finished", details: ["nothing is stored in it"],
        hints: ["run 'plimsoll fetch' to finish it"])

    private static func foreignSchema(_ names: [String]) -> ArchiveErrorText {
        ArchiveErrorText(
            "foreign-schema", "Archive holds something that plimsoll did not put there",
            details: [
                "not as an archive has it: \(names.prefix(10).joined(separator: ", "))",
                "the file is unchanged",
            ],
            hints: ["restore it from a backup: plimsoll archive restore", "ask who changed it"])
    }

    private static let notAnArchive = ArchiveErrorText(
        "not-an-archive", "File is the database of another program, or no file",
        details: ["the file is unchanged"], hints: ["use another file as the archive"])

    private static let unmerged = ArchiveErrorText(
        "unmerged", "Archive has changes that are still in its log or journal",
        details: ["they cannot be read in a read-only place; none are lost"],
        hints: [
            "run 'plimsoll fetch' where the archive can be written, to merge them",
            "or copy the archive and the files next to it to a writable folder, and read them there",
        ])

    private static let interrupted = ArchiveErrorText(
        "interrupted", "Archive has an unfinished change",
        details: ["a command was ended while it wrote; what was stored before is safe"],
        hints: ["run 'plimsoll fetch' with this file as 'archive', which undoes the unfinished change"])

    private static func corrupt(_ reason: String) -> ArchiveErrorText {
        ArchiveErrorText(
            "corrupt", "Archive is damaged or not an archive", details: lines(of: reason),
            hints: [
                "restore it from a backup: plimsoll archive restore",
                "save what can be read with: sqlite3 FILE .recover",
            ])
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
