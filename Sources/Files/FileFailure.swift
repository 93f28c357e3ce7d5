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

    /// The file or folder does not exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

extension FileFailure: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let (id, hint) =
            switch code {
            case ELOOP: ("file.link", "put the file itself in the place of the link")
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
            id, "Cannot \(action) '\(path)': \(reason ?? String(cString: strerror(code)))",
            at: .file(path: path),
            hints: [hint])
    }
}
