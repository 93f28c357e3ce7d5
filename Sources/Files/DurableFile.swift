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
    try replace(file) { staged throws(FileFailure) in
        let rights = keepsRights ? rightsOfFile(file) : nil
        try createFile(NewFile(staged, O_EXCL, rights: rights ?? 0o644), bytes, followedBy: rest) {
            descriptor in
            if let rights, fchmod(descriptor, rights) != 0 { return false }
            return !isDurable || isSynced(descriptor)
        }
    }
    if isDurable { try syncFolder(splitPath(file).folder) }
}

/// Replaces a file by one that only its owner may read, whole and on the disk. Its name outlives a power loss when
/// `syncPrivateFolder` was called since; until then the old file may be there.
package func replacePrivateFile(_ path: String, _ bytes: [UInt8]) throws(FileFailure) {
    try replace(path) { staged throws(FileFailure) in
        try createFile(NewFile(staged, O_EXCL, rights: 0o600), bytes, finish: isSynced)
    }
}

/// Has a file take the name of another one, when it is made.
private func replace(
    _ file: String, _ make: (_ staged: String) throws(FileFailure) -> Void
) throws(FileFailure) {
    let (folder, name) = splitPath(file)
    let staged = "\(folder)/.\(name).\(randomName()).tmp"
    do throws(FileFailure) {
        try make(staged)
        guard rename(staged, file) == 0 else { throw FileFailure("write", file) }
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
    guard isSynced(descriptor) || [EINVAL, EOPNOTSUPP, ENOTSUP].contains(errno) else {
        throw FileFailure("sync", path)
    }
}

/// The same of a folder that may be one to which this user writes and must not list: then nothing is done.
package func syncListedFolder(_ path: String) throws(FileFailure) {
    do throws(FileFailure) {
        try syncFolder(path)
    } catch {
        guard error.code == EACCES else { throw error }
    }
}

/// Writes the names in a folder, and its own, to the disk, for all files that were written to it before.
package func syncPrivateFolder(_ path: String) throws(FileFailure) {
    try syncFolder(path)
    try syncListedFolder(path + "/..")
}

/// Writes all of the file system of a folder to the disk.
///
/// - Returns: false where the system cannot do that.
package func syncFileSystem(of path: String) throws(FileFailure) -> Bool {
    let folder = try OpenFolder(path, followsLink: true)
    return try withExtendedLifetime(folder) { () throws(FileFailure) in
        try syncFileSystem(folder.descriptor, path)
    }
}

private func syncFileSystem(_ descriptor: Int32, _ path: String) throws(FileFailure) -> Bool {
    if cplatform_syncfs(descriptor) == 0 { return true }
    guard [ENOSYS, EPERM, EOPNOTSUPP, ENOTSUP, EINVAL].contains(errno) else {
        throw FileFailure("sync", path)
    }
    return false
}

/// Writes everything below a folder to the disk: its file system as a whole, or, where that is not possible,
/// file by file.
package func syncTree(_ path: String) throws(FileFailure) {
    let folder = try OpenFolder(path)
    try withExtendedLifetime(folder) { () throws(FileFailure) in
        try syncTree(path, descriptor: folder.descriptor)
    }
}

/// The same of a folder that is held open.
package func syncTree(_ path: String, descriptor: Int32) throws(FileFailure) {
    if try syncFileSystem(descriptor, path) { return }
    for entry in try folderEntries(path) { try syncOwn("\(path)/\(entry.path)") }
    try syncFolder(path)
}

/// Writes the bytes of a file, or the names in a folder, to the disk; links are not followed. What is gone, or what this user
/// may not read, is of others.
package func syncOwn(_ path: String) throws(FileFailure) {
    do throws(FileFailure) {
        switch pathKind(path, followsLink: false) {
        case .file: try syncFile(path)
        case .folder: try syncFolder(path)
        case .missing, .link, .other: return
        }
    } catch {
        guard error.isMissing || error.code == EACCES else { throw error }
    }
}

/// Writes the bytes of a file to the disk.
package func syncFile(_ path: String) throws(FileFailure) {
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { throw FileFailure("sync", path) }
    defer { close(descriptor) }
    guard isSynced(descriptor) else { throw FileFailure("sync", path) }
}

private func isSynced(_ descriptor: Int32) -> Bool { uninterrupted { cplatform_fsync(descriptor) } == 0 }
