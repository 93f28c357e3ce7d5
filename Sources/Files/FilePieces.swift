package import Platform

/// The bytes of a file that are held at once.
private let pieceBytes = 1 << 20

/// Reads a regular file piece by piece.
///
/// - Throws: `FileFailure`, and what `take` throws.
package func readPieces(
    of path: String, _ take: (ArraySlice<UInt8>) throws(FileFailure) -> Void
) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("read", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure("read", path, code: EISDIR) }
    var piece = [UInt8](repeating: 0, count: min(pieceBytes, max(1, Int(status.st_size) + 1)))
    while true {
        let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw FileFailure("read", path) }
        if count == 0 { return }
        try take(piece[..<count])
    }
}

/// Makes a file that must not exist with the bytes of another one, of which a piece is held at a time.
///
/// - Parameter see: gets each piece.
/// - Throws: `FileFailure`; what was made is removed.
package func copyFile(
    _ source: String, to target: String, rights: mode_t = 0o644, see: (ArraySlice<UInt8>) -> Void
) throws(FileFailure) {
    try makeFile(target, rights) { descriptor throws(FileFailure) in
        try readPieces(of: source) { piece throws(FileFailure) in
            see(piece)
            try write(piece, to: descriptor, target)
        }
    }
}

/// Makes a file that must not exist with the bytes of another one: by the system where it can, without them passing
/// through here.
///
/// - Parameter folder: the open folder from which a relative target is counted.
/// - Throws: `FileFailure`; what was made is removed.
package func copyFile(
    _ source: String, to target: String, in folder: Int32 = AT_FDCWD, rights: mode_t = 0o644
) throws(FileFailure) {
    try makeFile(target, in: folder, rights) { descriptor throws(FileFailure) in
        if copied(source, to: descriptor) { return }
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw FileFailure("write", target)
        }
        try readPieces(of: source) { piece throws(FileFailure) in
            try write(piece, to: descriptor, target)
        }
    }
}

private func makeFile(
    _ path: String, in folder: Int32 = AT_FDCWD, _ rights: mode_t, fill: (Int32) throws(FileFailure) -> Void
) throws(FileFailure) {
    let descriptor = try NewFile(path, O_EXCL, in: folder, rights: rights).opened()
    do throws(FileFailure) {
        try fill(descriptor)
    } catch {
        close(descriptor)
        unlinkat(folder, path, 0)
        throw error
    }
    // A network file system may report a full disk only when the file is closed.
    guard close(descriptor) == 0 else {
        let failure = FileFailure("write", path)
        unlinkat(folder, path, 0)
        throw failure
    }
}

/// Has the system copy a file; false where it cannot, whatever it has done by then.
private func copied(_ source: String, to target: Int32) -> Bool {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    while true {
        let count = cplatform_copy(descriptor, target, 1 << 30)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return count == 0 }
    }
}

private func write(
    _ piece: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
) throws(FileFailure) {
    let failure = piece.withUnsafeBufferPointer { writeAll($0, to: descriptor, path) }
    if let failure { throw failure }
}
