package import Platform

/// What a call of the system gives, called again as long as signals interrupt it: network file systems let them.
package func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// The bytes of a regular file.
///
/// - Throws: `FileFailure`; a file beyond `limit` bytes is too large.
package func readFile(_ path: String, limit: Int = 64 << 20) throws(FileFailure) -> [UInt8] {
    // Without waiting: a pipe without a writer would never be open.
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
        throw errno == ENXIO ? .noFile("read", path) : FileFailure("read", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure("read", path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileFailure("read", path, code: EISDIR)
    default: throw .noFile("read", path)
    }
    guard status.st_size <= limit else { throw FileFailure("read", path, code: EFBIG) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
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

/// The bytes of a regular file that lies below a folder, also when links lead to it.
///
/// - Throws: `FileFailure` when a link leads out of the folder, as for a file that cannot be read.
package func readFile(
    _ path: String, below folder: String, limit: Int = 64 << 20
) throws(FileFailure) -> [UInt8] {
    guard Files.path(of: path, below: folder) != nil else { throw .leaves(folder, path) }
    return try readFile(path, limit: limit)
}

/// Writes a file, replacing an older one, with the rights 0644.
package func writeFile(_ path: String, _ bytes: some Collection<UInt8>) throws(FileFailure) {
    try createFile(NewFile(path, O_TRUNC), bytes) { _ in true }
}

/// A file that is to be made.
package struct NewFile {
    let path: String
    private let flag: Int32
    private let folder: Int32
    private let rights: mode_t

    /// - Parameters:
    ///   - flag: `O_TRUNC` to write a file again, `O_EXCL` to make one that must not exist.
    ///   - folder: the open folder from which a relative path is counted.
    package init(_ path: String, _ flag: Int32, in folder: Int32 = AT_FDCWD, rights: mode_t = 0o644) {
        (self.path, self.flag, self.folder, self.rights) = (path, flag, folder, rights)
    }

    /// The file, open to be written.
    func opened() throws(FileFailure) -> Int32 {
        let descriptor = uninterrupted {
            openat(folder, path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flag, rights)
        }
        guard descriptor >= 0 else { throw FileFailure("write", path) }
        return descriptor
    }
}

/// Makes a file and writes it.
///
/// - Parameters:
///   - rest: what follows the bytes, and need not be one with them in memory.
///   - finish: what is done before the file is closed; false when the system refused it.
package func createFile(
    _ file: NewFile, _ bytes: some Collection<UInt8>, followedBy rest: [UInt8] = [],
    finish: (Int32) -> Bool
) throws(FileFailure) {
    let path = file.path
    let descriptor = try file.opened()
    var failure =
        bytes.withContiguousStorageIfAvailable { writeAll($0, to: descriptor, path) }
        ?? Array(bytes).withUnsafeBufferPointer { writeAll($0, to: descriptor, path) }
    if failure == nil { failure = rest.withUnsafeBufferPointer { writeAll($0, to: descriptor, path) } }
    if failure == nil, !finish(descriptor) { failure = FileFailure("write", path) }
    // A network file system may report a full disk only when the file is closed.
    let isClosed = close(descriptor) == 0
    if let failure { throw failure }
    if !isClosed { throw FileFailure("write", path) }
}

/// Writes bytes to an open file; nil when all are written.
func writeAll(
    _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32, _ path: String
) -> FileFailure? {
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
///
/// - Parameter made: gets each one that did not exist.
package func makeFolder(_ path: String, made: (String) -> Void = { _ in }) throws(FileFailure) {
    if isFolderMade(path) { return made(path) }
    let refusal = FileFailure("make the folder", path)
    if refusal.code == EEXIST { return }
    let above = splitPath(path).folder
    guard refusal.code == ENOENT, above != ".", above != "/" else {
        // A full disk may be what is said of one that is there.
        if pathKind(path) == .folder { return }
        throw refusal
    }
    try makeFolder(above, made: made)
    if isFolderMade(path) { return made(path) }
    guard errno == EEXIST else { throw FileFailure("make the folder", path) }
}

private func isFolderMade(_ path: String) -> Bool { uninterrupted { mkdir(path, 0o755) } == 0 }

/// Lets everybody read what this process has made, and enter it when it is a folder, whatever its umask.
///
/// Where the folder above has an access list for what is new in it, that list rules and not the umask: nothing is changed.
/// Nor is it where the file system knows no such rights.
package func openToAll(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let rights: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 0o055 : 0o044
    guard status.st_mode & rights != rights, cplatform_has_default_access(splitPath(path).folder) == 0
    else { return }
    _ = chmod(path, status.st_mode & 0o7777 | rights)
}

/// Makes a folder that only its owner may read, and those above it; one that exists is fine.
package func makePrivateFolder(_ path: String) throws(FileFailure) {
    guard uninterrupted({ mkdir(path, 0o700) }) != 0, errno != EEXIST else { return }
    try makeFolder(splitPath(namedPath(path)).folder)
    guard uninterrupted({ mkdir(path, 0o700) }) == 0 || errno == EEXIST else {
        throw FileFailure("make the folder", path)
    }
}

/// The names in a folder, in byte order, without `.` and `..`.
package func folderNames(_ path: String) throws(FileFailure) -> [String] {
    try listing(of: path) { name, _ in name }
}

/// Something about each entry of a folder, by name in byte order.
func listing<Entry>(
    of path: String, _ entry: (_ name: String, _ folder: Int32) throws(FileFailure) -> Entry
) throws(FileFailure) -> [Entry] {
    try withNames(in: path) { names, folder throws(FileFailure) in
        var entries: [Entry] = []
        for name in names { entries.append(try entry(String(decoding: name, as: UTF8.self), folder)) }
        return entries
    }
}

/// What is made of the names in a folder as the system has them, in byte order, without `.` and `..`.
func withNames<Result>(
    in path: String, _ body: (_ names: [[UInt8]], _ folder: Int32) throws(FileFailure) -> Result
) throws(FileFailure) -> Result {
    guard let folder = opendir(path) else { throw FileFailure("list", path) }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while true {
        // The end of a folder and a failure look the same, but for the error number.
        errno = 0
        guard let next = readdir(folder) else {
            if errno != 0 { throw FileFailure("list", path) }
            break
        }
        let name = withUnsafePointer(to: &next.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                Array(UnsafeBufferPointer(start: bytes, count: 256).prefix { $0 != 0 })
            }
        }
        if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    return try body(names, dirfd(folder))
}
