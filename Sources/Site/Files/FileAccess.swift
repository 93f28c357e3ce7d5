package import Diagnostics
import Glibc

/// The bytes of a regular file.
///
/// - Throws: `FileFailure`; a file beyond `limit` bytes is too large.
package func readFile(_ path: String, limit: Int = 64 << 20) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("read", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure("read", path, code: EISDIR) }
    guard status.st_size <= limit else { throw FileFailure("read", path, code: EFBIG) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw FileFailure("read", path) }
        if count == 0 { return bytes }
        bytes.append(contentsOf: chunk[0..<count])
        guard bytes.count <= limit else { throw FileFailure("read", path, code: EFBIG) }
    }
}

/// Writes a file, replacing an older one, with the rights 0644.
package func writeFile(_ path: String, _ bytes: some Collection<UInt8>) throws(FileFailure) {
    try createFile(path, in: AT_FDCWD, O_TRUNC, bytes) { _ in true }
}

/// Makes a file, with the rights 0644, and writes it.
///
/// - Parameters:
///   - folder: the open folder from which a relative path is counted.
///   - flag: `O_TRUNC` to write a file again, `O_EXCL` to make one that must not exist.
///   - finish: what is done before the file is closed; false when the system refused it.
func createFile(
    _ path: String, in folder: Int32, _ flag: Int32, _ bytes: some Collection<UInt8>,
    finish: (Int32) -> Bool
) throws(FileFailure) {
    let descriptor = openat(folder, path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flag, 0o644)
    guard descriptor >= 0 else { throw FileFailure("write", path) }
    var failure =
        bytes.withContiguousStorageIfAvailable { writeAll($0, to: descriptor, path) }
        ?? Array(bytes).withUnsafeBufferPointer { writeAll($0, to: descriptor, path) }
    if failure == nil, !finish(descriptor) { failure = FileFailure("write", path) }
    // A network file system may report a full disk only when the file is closed.
    let isClosed = close(descriptor) == 0
    if let failure { throw failure }
    if !isClosed { throw FileFailure("write", path) }
}

private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32, _ path: String)
    -> FileFailure?
{
    var offset = 0
    while offset < bytes.count, let start = bytes.baseAddress {
        let count = write(descriptor, start + offset, bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return FileFailure("write", path) }
        offset += count
    }
    return nil
}

/// Makes a folder and those above it; one that exists is fine.
package func makeFolder(_ path: String) throws(FileFailure) {
    guard mkdir(path, 0o755) != 0 else { return }
    if errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw FileFailure("make the folder", path)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileFailure("make the folder", path) }
}

/// Makes a folder that only its owner may read, and those above it; one that exists is fine.
func makePrivateFolder(_ path: String) throws(FileFailure) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    try makeFolder(splitPath(path).folder)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure("make the folder", path) }
}

/// What a path leads to.
package enum PathKind: Sendable {
    case missing, file, folder, other
}

/// What a path leads to, symbolic links followed.
package func pathKind(_ path: String) -> PathKind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
}

/// The names in a folder, in byte order, without `.` and `..`.
package func folderNames(_ path: String) throws(FileFailure) -> [String] {
    guard let folder = opendir(path) else { throw FileFailure("list", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
}

/// Removes a folder with all that is in it; links are removed, not followed.
func removeFolder(_ path: String) throws(FileFailure) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        guard unlink(path) == 0 else { throw FileFailure("remove", path) }
        return
    }
    for name in try folderNames(path) { try removeFolder(path + "/" + name) }
    guard rmdir(path) == 0 else { throw FileFailure("remove", path) }
}

/// Where a path leads to when it is a link, else the path itself.
func targetOfLink(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil)
    else {
        return path
    }
    defer { free(target) }
    return String(cString: target)
}

/// The path of a folder from the top of the file system, without links; as it is when there is no such folder.
func fullPath(_ folder: String) -> String {
    guard let whole = realpath(folder, nil) else { return folder }
    defer { free(whole) }
    return String(cString: whole)
}

/// A file operation that the system refused.
package struct FileFailure: Error, Hashable, Sendable {
    /// What was being done: `write`, `read`, `make the folder`.
    package let action: String
    /// The path.
    package let path: String
    /// The system's error number.
    package let code: Int32

    /// The failure that the system just reported.
    init(_ action: String, _ path: String, code: Int32 = errno) {
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
