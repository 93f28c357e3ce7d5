import Cryptography
import Diagnostics
import Files

/// Size and hash of a file of this machine, of which a piece is held at a time.
struct LocalDigest: Sendable {
    let size: Int
    /// In hexadecimal digits.
    let sha256: String
    /// Empty where it was not asked for.
    let md5: [UInt8]

    /// Reads a file.
    init(of path: String, withMD5: Bool = false) throws(Diagnostic) {
        var size = 0
        var sha256 = RunningDigest()
        var md5 = RunningDigest(.md5)
        try diagnosed { () throws(FileFailure) in
            try readPieces(of: path) { piece throws(FileFailure) in
                size += piece.count
                sha256.update(piece)
                if withMD5 { md5.update(piece) }
            }
        }
        (self.size, self.sha256) = (size, hexadecimal(sha256.finish()))
        self.md5 = withMD5 ? md5.finish() : []
    }

    /// Copies a file to one that must not exist.
    init(copying path: String, to target: String) throws(Diagnostic) {
        var size = 0
        var sha256 = RunningDigest()
        try diagnosed { () throws(FileFailure) in
            try copyFile(path, to: target) { piece in
                size += piece.count
                sha256.update(piece)
            }
        }
        (self.size, self.sha256, md5) = (size, hexadecimal(sha256.finish()), [])
    }

    /// Whether these are the bytes of a file of a site.
    func isThat(of file: SiteFile) -> Bool { size == file.size && sha256 == file.sha256 }
}
