package import AppHealth

/// Why the archive could not be opened, read or written.
package enum ArchiveError: Error, Hashable, Sendable {
    /// There is no file, and reading makes none.
    case missing(path: String)
    /// The file or its folder cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// Another command writes; nil when it left no readable name.
    case held(path: String, by: ArchiveHolder?)
    /// Another program kept the database locked for longer than the wait.
    case busy(path: String)
    /// The file carries migrations that this program does not know.
    case newerFormat(path: String, migrations: [String])
    /// The file lacks migrations, and reading makes none.
    case olderFormat(path: String)
    /// The file was begun and never finished; nothing is in it.
    case unfinished(path: String)
    /// The file is a database, but another program's.
    case notAnArchive(path: String)
    /// The file is damaged or no database at all.
    case corrupt(path: String, reason: String)
    /// The disk, the quota or the largest size of the database is used up.
    case full(path: String)
    /// The file or its folder may be read only.
    case readOnly(path: String)
    /// What a killed writer left beside the file holds changes that are not in it, and cannot be read here.
    case unmerged(path: String)
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
