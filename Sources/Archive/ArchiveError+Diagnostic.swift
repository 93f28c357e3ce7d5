package import Diagnostics

extension ArchiveError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let (name, summary, details, hints) = text
        return .error("archive.\(name)", summary, details: details, at: .file(path: path), hints: hints)
    }

    /// The file that the error is about.
    package var path: String {
        switch self {
        case .missing(let path), .cannotOpen(let path, _), .held(let path, _), .busy(let path),
            .newerFormat(let path, _), .olderFormat(let path), .unfinished(let path), .notAnArchive(let path),
            .corrupt(let path, _),
            .full(let path), .readOnly(let path), .unmerged(let path), .inputOutput(let path, _),
            .sqlite(let path, _, _):
            path
        }
    }

    private typealias Text = (name: String, summary: String, details: [String], hints: [String])

    private var text: Text {
        switch self {
        case .missing:
            ("missing", "there is no archive yet", [], ["run plimsoll fetch, which makes it"])
        case .cannotOpen(_, let reason):
            ("cannot-open", "the archive cannot be opened", [reason], ["check that its folder exists"])
        case .held(_, let holder):
            (
                "held", "another command is writing to the archive", holder.map { [$0.description] } ?? [],
                ["wait until it has ended, then run this command again"]
            )
        case .busy:
            (
                "busy", "another program keeps the archive locked", [],
                ["close programs that have the file open, then run this command again"]
            )
        case .readOnly:
            (
                "read-only", "the archive may only be read", [],
                ["check the permissions of the file and of its folder"]
            )
        case .full:
            (
                "full", "there is no room left for the archive", ["nothing of this snapshot was stored"],
                ["free some space, then run this command again"]
            )
        case .inputOutput(_, let reason):
            (
                "io", "the archive could not be read or written", [reason],
                ["check the disk and the file system that hold it"]
            )
        case .sqlite(_, let code, let reason):
            (
                "sqlite", "the archive refused a statement", ["SQLite error \(code): \(reason)"],
                ["report this as a fault of the program"]
            )
        case .newerFormat(_, let migrations):
            (
                "newer-format", "the archive was written by a newer version of plimsoll",
                ["not known here: \(migrations.joined(separator: ", "))", "the file was left as it is"],
                ["install the newer version of plimsoll"]
            )
        case .olderFormat:
            (
                "older-format", "the archive was written by an older version of plimsoll", [],
                ["run plimsoll fetch once, which brings it up to date"]
            )
        case .unfinished:
            (
                "unfinished", "the archive was begun and never finished", ["nothing is stored in it"],
                ["run plimsoll fetch, which completes it"]
            )
        case .notAnArchive:
            (
                "not-an-archive", "the file is the database of another program",
                ["the file was left as it is"],
                ["name another file as the archive"]
            )
        case .unmerged:
            (
                "unmerged", "the archive has changes that are still in the log or journal beside it",
                ["they cannot be read where nothing may be written; nothing of them is lost"],
                [
                    "run plimsoll fetch where the archive may be written, which merges them",
                    "or copy the archive and the files beside it to a writable folder and read them there",
                ]
            )
        case .corrupt(_, let reason):
            (
                "corrupt", "the archive is damaged or is no archive", [reason],
                ["restore it from a backup", "save what can be read with: sqlite3 FILE .recover"]
            )
        }
    }
}

extension ArchiveHolder: CustomStringConvertible {
    /// `held by plimsoll fetch, process 4711, since 2026-11-20T06:00:00Z`.
    package var description: String { "held by plimsoll \(command), process \(processID), since \(since)" }
}
