import Foundation
import Glibc

/// Writes a file that only its owner may read: whole under its name, or not at all.
///
/// The bytes go to a hidden file beside it first, which takes the name when it is complete.
func writePrivateFile(_ bytes: [UInt8], to path: String, number: Int) throws(PrivateFileFailure) {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let partial = "\(folder)/.\(name).\(getpid()).\(number).partial"
    let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFileFailure(path: path) }
    do throws(PrivateFileFailure) {
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, path: path)
        guard unsafe rename(partial, path) == 0 else { throw PrivateFileFailure(path: path) }
    } catch {
        unsafe unlink(partial)
        throw error
    }
}

/// A file that could not be written, and the system's reason.
struct PrivateFileFailure: Error {
    var path: String
    var reason = unsafe String(cString: strerror(errno))
}

/// Makes a folder that only its owner may open; one that is there already stays as it is.
func makePrivateFolder(_ path: String) throws(PrivateFileFailure) {
    do {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
        throw PrivateFileFailure(path: path, reason: "the folder cannot be made")
    }
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(PrivateFileFailure) {
    var done = 0
    while done < bytes.count {
        let count = unsafe bytes[done...].withUnsafeBytes { piece in
            unsafe write(descriptor, piece.baseAddress, piece.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw PrivateFileFailure(path: path) }
        done += count
    }
}
