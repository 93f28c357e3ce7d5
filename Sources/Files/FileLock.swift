import Platform

/// The right to something, kept by one process at a time: an advisory lock (flock) on a file made for it.
///
/// The kernel gives it back when the process ends in any way, in whatever process namespace it ran. The file is
/// removed with the value; what a killed process left is taken over by the next.
package final class FileLock: Sendable {
    /// Whether the file system knows locks at all; without, no one is kept out.
    package let isCertain: Bool
    /// Its file: another one that is made next to it, for everybody to read, gets the same rights.
    package let file: FolderEntry
    private let path: String
    private let descriptor: Int32

    private init(_ path: String, _ descriptor: Int32, isCertain: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isCertain = isCertain
        var status = stat()
        _ = fstat(descriptor, &status)
        file = FolderEntry(path, status)
    }

    deinit {
        if hasName(descriptor, path) { unlink(path) }
        close(descriptor)
    }

    /// Acquires the lock; nil when another process has it.
    package static func acquire(_ path: String) throws(FileFailure) -> FileLock? {
        while true {
            // A link planted under this name must not lead elsewhere; a child must not inherit the lock.
            let descriptor = uninterrupted { open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644) }
            guard descriptor >= 0 else { throw FileFailure("make the lock file", path) }
            var code: Int32 = 0
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                code = errno
                if code != EINTR { break }
                code = 0
            }
            switch code {
            case 0:
                // Who had it before may have removed the file meanwhile: this would be a lock without a name.
                if hasName(descriptor, path) { return FileLock(path, descriptor, isCertain: true) }
                close(descriptor)
            case EWOULDBLOCK:
                close(descriptor)
                return nil
            case ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL:
                return FileLock(path, descriptor, isCertain: false)
            default:
                close(descriptor)
                throw FileFailure("lock", path, code: code)
            }
        }
    }

    /// Acquires the lock, trying again every 100 ms for as many seconds as given; nil when another process keeps it.
    package static func acquire(
        _ path: String, waiting seconds: Int,
        sleep: (_ milliseconds: UInt32) -> Void = { usleep($0 * 1000) }
    ) throws(FileFailure) -> FileLock? {
        for attempt in 0...min(max(seconds, 0), 86_400) * 10 {
            if attempt > 0 { sleep(100) }
            if let lock = try acquire(path) { return lock }
        }
        return nil
    }
}

/// Whether an open file is the one that is under a name.
private func hasName(_ descriptor: Int32, _ path: String) -> Bool {
    var (open, named) = (stat(), stat())
    guard fstat(descriptor, &open) == 0, lstat(path, &named) == 0 else { return false }
    return open.st_ino == named.st_ino && open.st_dev == named.st_dev
}
