import GRDB
import Glibc

extension ArchiveError {
    /// Sorts what SQLite reports; statements and bound values stay out of the text.
    init(_ error: any Error, path: String) {
        if let known = error as? ArchiveError {
            self = known
            return
        }
        if let refusal = error as? SystemError {
            self.init(refusal, path: path)
            return
        }
        guard let failure = error as? DatabaseError else {
            self = .sqlite(path: path, code: 0, reason: "\(type(of: error))")
            return
        }
        let reason = failure.message ?? "no reason given"
        switch failure.resultCode {
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: reason)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(path: path, reason: reason)
        case .SQLITE_FULL: self = .full(path: path)
        // The file shared by readers and writers could not be made as long as it must be.
        case .SQLITE_IOERR where failure.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly(path: path)
        case .SQLITE_IOERR: self = .inputOutput(path: path, reason: reason)
        default:
            self = .sqlite(path: path, code: Int(failure.extendedResultCode.rawValue), reason: reason)
        }
    }
}

extension ArchiveError {
    /// What an error number of the operating system means for the archive.
    init(_ error: SystemError, path: String) {
        let reason = String(cString: strerror(error.number))
        switch error.number {
        case EACCES, EPERM, EROFS: self = .readOnly(path: path)
        case ENOSPC, EDQUOT: self = .full(path: path)
        case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: self = .cannotOpen(path: path, reason: reason)
        default: self = .inputOutput(path: path, reason: reason)
        }
    }
}
