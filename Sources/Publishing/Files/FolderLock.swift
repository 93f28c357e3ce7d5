import Diagnostics
import Glibc

/// The right to publish to a folder, kept by one process at a time: an advisory lock (flock) on a file next to it.
///
/// The kernel gives it back when the process ends in any way.
final class FolderLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Acquires the lock.
    ///
    /// - Throws: when another publication has it.
    init(_ path: String) throws(Diagnostic) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw fileProblem("make the lock file", path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
        let code = errno
        // Some network file systems know no locks.
        if [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(code) { return }
        close(descriptor)
        throw .error(
            "publish.held", "Another publication to this folder is under way", at: .file(path: path),
            hints: ["wait for its end, then publish again"])
    }

    // The name stays: removing it would let two processes lock two files of one name.
    deinit { close(descriptor) }
}
