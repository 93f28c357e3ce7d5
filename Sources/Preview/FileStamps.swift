import Glibc
import Site

/// The state of files on disk: when each was changed and how long it is.
package struct FileStamps: Equatable, Sendable {
    private var stamps: [String: Stamp] = [:]

    private struct Stamp: Equatable {
        let seconds: Int
        let nanoseconds: Int
        let size: Int
        let node: UInt
    }

    /// Looks at files, and at all files below folders; what is missing has no stamp.
    ///
    /// - Parameters:
    ///   - paths: files and folders.
    ///   - skipped: a folder that is not looked into, such as the site that is built from the others.
    package init(of paths: [String], without skipped: String) {
        for path in paths { add(path, skipped, depth: 0) }
    }

    private mutating func add(_ path: String, _ skipped: String, depth: Int) {
        // A link may lead into a circle.
        guard path != skipped, depth < 24 else { return }
        switch pathKind(path) {
        case .file: addFile(path)
        case .folder:
            for name in (try? folderNames(path)) ?? [] where !name.hasPrefix(".") {
                add(path + "/" + name, skipped, depth: depth + 1)
            }
        case .missing, .other: return
        }
    }

    private mutating func addFile(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        stamps[path] = Stamp(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, size: Int(status.st_size),
            node: UInt(status.st_ino))
    }
}
