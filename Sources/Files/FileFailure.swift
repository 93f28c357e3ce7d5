package import Diagnostics
import Platform

/// A file operation that the system refused.
package struct FileFailure: Error, Hashable, Sendable {
    /// What was being done: `write`, `read`, `make the folder`.
    package let action: String
    /// The path.
    package let path: String
    /// The system's error number.
    package let code: Int32

    /// What hinders it when it is not the system.
    private var reason: String?

    /// The failure that the system just reported.
    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// A file or folder that a link leads to lies outside the folder it must stay in.
    package static func leaves(_ folder: String, _ path: String) -> FileFailure {
        var failure = FileFailure("read", path, code: ELOOP)
        failure.reason = "it is, or goes through, a link out of '\(folder)'"
        return failure
    }

    /// What is no regular file, such as a pipe or a device, is neither read nor replaced.
    static func noFile(_ action: String, _ path: String) -> FileFailure {
        var failure = FileFailure(action, path, code: EINVAL)
        failure.reason = "it is a pipe, a socket or a device, not a file"
        return failure
    }

    /// A file is there under a name that is no UTF-8 text, and cannot be named to anything that reads files.
    ///
    /// - Parameter path: the path with the name as `FolderContents` escapes it.
    package static func unreadableName(_ path: String) -> FileFailure {
        var failure = FileFailure("read", path, code: EILSEQ)
        failure.reason = "its name is not UTF-8"
        return failure
    }

    /// Something is mounted in a folder that is to be replaced or removed as a whole.
    static func mounted(at place: String, _ action: String, _ folder: String) -> FileFailure {
        var failure = FileFailure(action, folder, code: EBUSY)
        failure.reason = "something is mounted at '\(place)'"
        return failure
    }

    /// What the system says hinders it: `Input/output error`.
    package var systemReason: String { reason ?? String(cString: strerror(code)) }

    /// The file has more bytes than are read of one.
    package var isTooLarge: Bool { code == EFBIG }

    /// Something is mounted in the folder.
    package var isMounted: Bool { code == EBUSY && reason != nil }

    /// The file or folder does not exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

extension FileFailure: DiagnosticConvertible {
    /// What is done without writing.
    private static let readings = ["read", "list", "open"]

    package var diagnostic: Diagnostic {
        let (id, hint) =
            switch code {
            case ELOOP: ("file.link", "put the file itself in the place of the link")
            case EBUSY where isMounted:
                (
                    "file.mounted",
                    "unmount it, or mount it at a place outside of that folder; then run it again"
                )
            case ENOSPC, EDQUOT:
                ("file.full", "free some space and run it again; the previous files are unchanged")
            case EACCES where Self.readings.contains(action), EPERM where Self.readings.contains(action):
                ("file.unreadable", "let the user that runs this read it, and enter the folders above it")
            case EINVAL where reason != nil: ("file.no-file", "use the path of a regular file")
            case EILSEQ where reason != nil: ("file.name", "rename the file")
            case EROFS, EACCES, EPERM:
                ("file.read-only", "choose a writable folder, or change its permissions")
            case ENOENT, ENOTDIR: ("file.missing", "check the path")
            case EFBIG: ("file.too-large", "make the file smaller")
            case EMFILE, ENFILE: ("file.too-many-open", "raise the limit of open files")
            case EIO: ("file.failed", "check the disk and the file system that hold it")
            default: ("file.failed", "check the path and the disk")
            }
        var diagnostic = Diagnostic.error(
            id, "Cannot \(action) '\(path)': \(systemReason)",
            at: .file(path: path),
            hints: [hint])
        // The user put there what leads out of its folder, is too large, no file or named oddly.
        if code == ELOOP || code == EFBIG || ["file.no-file", "file.name"].contains(id) {
            diagnostic.gravity = .usage
        }
        return diagnostic
    }
}

/// Does something with files; what the system refused is reported.
package func diagnosed<Value: ~Copyable>(_ work: () throws(FileFailure) -> Value) throws(Diagnostic) -> Value
{
    do throws(FileFailure) {
        return try work()
    } catch {
        throw error.diagnostic
    }
}

/// The same for what fails with several diagnostics.
package func reported<Value: ~Copyable>(_ work: () throws(FileFailure) -> Value) throws(Diagnostics) -> Value
{
    do throws(FileFailure) {
        return try work()
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}
