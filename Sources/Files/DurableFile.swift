import Platform

/// Replaces a file so that a reader, a crash and a power loss find the old one or the new one, whole: a file next to
/// it is written and synced, takes the name, and the folder is synced.
///
/// Where the path is a link, what it leads to is replaced, or made. A pipe or a device is no file, and stays what it is.
///
/// - Parameters:
///   - isDurable: False for what can be made again: after a power loss it may be cut or gone.
///   - keepsRights: Whether who may read the old file may read the new one, and no one else.
package func replaceFile(
    _ path: String, _ bytes: some Collection<UInt8>, isDurable: Bool = true, keepsRights: Bool = false
) throws(FileFailure) {
    try replaceFile(path, bytes, followedBy: [], isDurable: isDurable, keepsRights: keepsRights)
}

/// The same of a file in two parts, which need not be one in memory.
package func replaceFile(
    _ path: String, _ bytes: some Collection<UInt8>, followedBy rest: [UInt8], isDurable: Bool = true,
    keepsRights: Bool = false
) throws(FileFailure) {
    if pathKind(path) == .other { throw .noFile("write", path) }
    let file = placeOfFile(path)
    let (folder, name) = splitPath(file)
    let staged = "\(folder)/.\(name).\(randomName()).tmp"
    do throws(FileFailure) {
        let rights = keepsRights ? rightsOfFile(file) : nil
        try createFile(staged, in: AT_FDCWD, O_EXCL, bytes, followedBy: rest, rights: rights ?? 0o644) {
            descriptor in
            if let rights, fchmod(descriptor, rights) != 0 { return false }
            return !isDurable || isSynced(descriptor)
        }
        guard rename(staged, file) == 0 else { throw FileFailure("write", file) }
        if isDurable { try syncFolder(folder) }
    } catch {
        unlink(staged)
        throw error
    }
}

/// What a file may be used for by whom; nil where there is none.
private func rightsOfFile(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

/// Writes the names in a folder to the disk, so that a rename in it outlives a power loss.
package func syncFolder(_ path: String) throws(FileFailure) {
    let descriptor = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileFailure("sync", path) }
    defer { close(descriptor) }
    // Some network file systems cannot sync a folder, as theirs are always synced.
    guard isSynced(descriptor) || errno == EINVAL || errno == EOPNOTSUPP else {
        throw FileFailure("sync", path)
    }
}

/// Writes everything below a folder to the disk: its file system as a whole, or, where that is not possible,
/// file by file.
package func syncTree(_ path: String, descriptor: Int32) throws(FileFailure) {
    if cplatform_syncfs(descriptor) == 0 { return }
    guard [ENOSYS, EPERM, EOPNOTSUPP, EINVAL].contains(errno) else { throw FileFailure("sync", path) }
    for entry in try folderEntries(path) {
        let whole = "\(path)/\(entry.path)"
        switch entry.kind {
        case .file: try syncFile(whole)
        case .folder: try syncFolder(whole)
        case .link, .other: continue
        }
    }
    try syncFolder(path)
}

private func syncFile(_ path: String) throws(FileFailure) {
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { throw FileFailure("sync", path) }
    defer { close(descriptor) }
    guard isSynced(descriptor) else { throw FileFailure("sync", path) }
}

private func isSynced(_ descriptor: Int32) -> Bool { uninterrupted { cplatform_fsync(descriptor) } == 0 }
