import Platform

/// What a file system has left for a user without its reserve.
struct FreeRoom: Equatable, Sendable {
    let bytes: Int
    /// How many more files it takes; nil where it does not count them.
    let files: Int?
    /// Which file system it is.
    let system: UInt

    /// How many files an archive needs next to it while it is written: its lock, its log and the index of that, and a
    /// journal.
    private static let filesOfAWriter = 4

    init(bytes: Int, files: Int?, system: UInt = 0) {
        (self.bytes, self.files, self.system) = (bytes, files, system)
    }

    /// The room in the folder of a file; nil where the system does not say it.
    init?(nextTo file: String) { self.init(in: ArchiveFiles.folder(of: ArchiveFiles.target(of: file))) }

    /// The room in a folder; nil where the system does not say it.
    init?(in folder: String) {
        var (found, status) = (statvfs(), stat())
        guard statvfs(folder, &found) == 0, stat(folder, &status) == 0 else { return nil }
        let (count, overflows) = UInt64(found.f_bavail).multipliedReportingOverflow(
            by: UInt64(found.f_frsize))
        bytes = overflows ? .max : Int(clamping: count)
        files = found.f_files == 0 ? nil : Int(clamping: found.f_favail)
        system = UInt(status.st_dev)
    }

    /// Whether a writer lacks files rather than bytes. What it had made before it was refused may be gone by now.
    var lacksFiles: Bool { files.map { $0 < Self.filesOfAWriter } ?? false }

    /// Whether that is why a file could not be made or made longer.
    var isUsedUp: Bool { lacksFiles || bytes == 0 }
}
