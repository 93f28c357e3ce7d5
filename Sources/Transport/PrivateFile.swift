import Foundation
import Platform

/// Writes a file that only its owner may read: whole under its name, or not at all.
///
/// The bytes go to a hidden file next to it first, which takes the name when it is complete and on the disk. The new
/// name is there after a power cut only when `synchronizePrivateFolder` was called since; until then the old file is.
func writePrivateFile(_ bytes: [UInt8], to path: String, number: Int) throws(PrivateFileFailure) {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let partial = "\(folder)/.\(name).\(getpid()).\(number).partial"
    let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFileFailure(path: path) }
    do throws(PrivateFileFailure) {
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, path: path)
        guard cplatform_fsync(descriptor) == 0 else { throw PrivateFileFailure(path: path) }
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

/// Brings the names in a folder, and its own, to the disk, for all files that were written to it before.
func synchronizePrivateFolder(_ path: String) throws(PrivateFileFailure) {
    let path = path.isEmpty ? "." : path
    for folder in [path, path + "/.."] {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // The folder above may be one that this user must not list.
        if descriptor < 0, errno == EACCES { continue }
        guard descriptor >= 0 else { throw PrivateFileFailure(path: folder) }
        defer { close(descriptor) }
        // Some network file systems know no such thing for folders.
        guard cplatform_fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw PrivateFileFailure(path: folder)
        }
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
