import Crypto
import Diagnostics
import Foundation
import Glibc

/// What is under a name; links are not followed.
enum FileKind {
    case missing, file, folder, link, other
}

/// What is under a name; links are not followed.
func fileKind(_ path: String) -> FileKind {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
}

/// The bytes of a regular file.
func readLocalFile(_ path: String, limit: Int) throws(Diagnostic) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fileProblem("read", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fileProblem("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw fileProblem("read", path, code: EISDIR) }
    guard status.st_size <= limit else { throw fileProblem("read", path, code: EFBIG) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw fileProblem("read", path) }
        if count == 0 { return bytes }
        bytes.append(contentsOf: chunk[0..<count])
        guard bytes.count <= limit else { throw fileProblem("read", path, code: EFBIG) }
    }
}

/// Makes a file that must not exist, with the rights 0644 or those given, and writes it to the disk.
func createLocalFile(_ path: String, _ bytes: [UInt8], rights: mode_t = 0o644) throws(Diagnostic) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, rights)
    guard descriptor >= 0 else { throw fileProblem("write", path) }
    var offset = 0
    var code: Int32 = 0
    while offset < bytes.count, code == 0 {
        let count = bytes[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        if count > 0 { offset += count } else { code = count < 0 ? errno : ENOSPC }
    }
    // A network file system may report a full disk only when the file is closed.
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else {
        unlink(path)
        throw fileProblem("write", path, code: code)
    }
}

/// Replaces a file so that a reader finds the old one or the new one, whole.
func replaceLocalFile(_ path: String, _ bytes: [UInt8]) throws(Diagnostic) {
    let (folder, name) = splitPath(path)
    let temporary = "\(folder)/.\(name).\(randomName()).new"
    try createLocalFile(temporary, bytes)
    guard rename(temporary, path) == 0 else {
        let problem = fileProblem("write", path)
        unlink(temporary)
        throw problem
    }
}

/// Makes a folder and those above it; one that exists is fine.
func makeLocalFolder(_ path: String) throws(Diagnostic) {
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw fileProblem("make the folder", path)
    }
    try makeLocalFolder(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw fileProblem("make the folder", path) }
}

/// The paths of everything below a folder that is no folder, in order; links are not followed.
func filesBelow(_ root: String) throws(Diagnostic) -> [String] {
    var files: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
        for name in try localNames(folder.isEmpty ? root : "\(root)/\(folder)") {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            if fileKind("\(root)/\(path)") == .folder { folders.append(path) } else { files.append(path) }
        }
    }
    return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

/// The names in a folder, without `.` and `..`.
func localNames(_ path: String) throws(Diagnostic) -> [String] {
    guard let folder = opendir(path) else { throw fileProblem("list", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// Removes a folder with all that is in it, as far as that is possible; links are removed, not followed.
func removeTree(_ path: String) {
    guard fileKind(path) == .folder else {
        unlink(path)
        return
    }
    for name in (try? localNames(path)) ?? [] { removeTree("\(path)/\(name)") }
    rmdir(path)
}

/// Whether two files are on one file system: then one may have two names.
func isOnSameFileSystem(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev
}

/// The folder above a path and its last part.
func splitPath(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
}

/// 64 bits by chance as hexadecimal digits: a name that no other process chooses.
func randomName() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// What the system refused, with the next step.
func fileProblem(_ action: String, _ path: String, code: Int32 = errno) -> Diagnostic {
    let (id, hint) =
        switch code {
        case ENOSPC, EDQUOT: ("file.full", "free some space and publish again")
        case EROFS, EACCES, EPERM: ("file.read-only", "choose a writable folder, or change its permissions")
        case ENOENT, ENOTDIR: ("file.missing", "check the path")
        case EFBIG: ("file.too-large", "make the file smaller")
        case EMFILE, ENFILE: ("file.too-many-open", "raise the limit of open files")
        default: ("file.failed", "check the path and the disk")
        }
    return .error(
        id, "Cannot \(action) '\(path)': \(String(cString: strerror(code)))", at: .file(path: path),
        hints: [hint])
}

/// The SHA-256 of some bytes in hexadecimal digits.
package func hexadecimalSHA256(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

/// Bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
