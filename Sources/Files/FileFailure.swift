package import Diagnostics
import Glibc

/// A file operation that the system refused.
package struct FileFailure: Error, Hashable, Sendable {
    /// What was being done: `write`, `read`, `make the folder`.
    package let action: String
    /// The path.
    package let path: String
    /// The system's error number.
    package let code: Int32

    /// The failure that the system just reported.
    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// The file or folder does not exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

extension FileFailure: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let (id, hint) =
            switch code {
            case ENOSPC, EDQUOT:
                ("file.full", "free some space and run it again; the previous files are unchanged")
            case EROFS, EACCES, EPERM:
                ("file.read-only", "choose a writable folder, or change its permissions")
            case ENOENT, ENOTDIR: ("file.missing", "check the path")
            case EFBIG: ("file.too-large", "make the file smaller")
            case EMFILE, ENFILE: ("file.too-many-open", "raise the limit of open files")
            default: ("file.failed", "check the path and the disk")
            }
        return .error(
            id, "Cannot \(action) '\(path)': \(String(cString: strerror(code)))", at: .file(path: path),
            hints: [hint])
    }
}
