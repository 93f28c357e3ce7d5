import Diagnostics
import Files
import Platform

/// The right to fill a folder file by file, kept by one process at a time: a lock (flock) on the folder itself, so that
/// it adds no file to what readers are served.
final class FolderHold: Sendable {
    let descriptor: Int32

    /// - Throws: when another publication has it. Where a file system knows no locks for folders, or the folder may not be
    ///   listed, no one is kept out.
    init(_ path: String) throws(Diagnostic) {
        descriptor = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == EACCES { return }
            throw fileProblem("open", path)
        }
        if uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0, errno == EWOULDBLOCK {
            throw publicationUnderWay(path)
        }
    }

    /// A program that is being started has the descriptor too for a moment: closing it alone would not end the lock then.
    deinit {
        guard descriptor >= 0 else { return }
        _ = uninterrupted { flock(descriptor, LOCK_UN) }
        close(descriptor)
    }
}
