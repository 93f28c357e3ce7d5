import Platform

/// A folder that is held open. What is written into it goes into this folder and no other: when it is removed the
/// next write fails, even if another has its name.
package final class OpenFolder: Sendable {
    package let descriptor: Int32
    let path: String

    /// - Parameter followsLink: whether the path may be a link to the folder.
    package init(_ path: String, followsLink: Bool = false) throws(FileFailure) {
        let flag = followsLink ? 0 : O_NOFOLLOW
        descriptor = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flag) }
        self.path = path
        guard descriptor >= 0 else { throw FileFailure("open", path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether this folder is at a path.
    package func isStill(_ path: String) -> Bool {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// Writes a file that must not exist, with the folders above it. A name that is there may be one of several of a file:
    /// what is written to it would be in the place of the others too.
    package func write(_ file: String, _ bytes: some Collection<UInt8>) throws(FileFailure) {
        do throws(FileFailure) {
            do throws(FileFailure) {
                try createFile(NewFile(file, O_EXCL, in: descriptor), bytes) { _ in true }
            } catch {
                guard error.isMissing else { throw error }
                try makeFolders(above: file)
                try createFile(NewFile(file, O_EXCL, in: descriptor), bytes) { _ in true }
            }
        } catch {
            throw FileFailure(error.action, "\(path)/\(file)", code: error.code)
        }
    }

    /// Makes the folders above a file; those that exist are fine.
    package func makeFolders(above file: String) throws(FileFailure) {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let folder = String(file[..<slash])
        if isFolderMade(folder) { return }
        // Most of the time only the innermost is missing.
        if errno == ENOENT {
            try makeFolders(above: folder)
            if isFolderMade(folder) { return }
        }
        throw FileFailure("make the folder", folder)
    }

    /// Makes a folder in one that exists; one of that name is fine.
    private func isFolderMade(_ folder: String) -> Bool {
        uninterrupted({ mkdirat(descriptor, folder, 0o755) }) == 0 || errno == EEXIST
    }

    /// Removes a file that still is as it was seen, or a folder with nothing in it.
    ///
    /// - Parameter linked: whether the file has got another name since, which counts as a change of its own.
    /// - Returns: what the system said when it refused; nothing of a folder that has something in it.
    @discardableResult
    package func remove(_ entry: FolderEntry, linked: Bool) -> FileFailure? {
        // The folder itself has no name here.
        if entry.path.isEmpty { return nil }
        let isFolder = entry.kind == .folder
        guard
            isFolder
                || stamp(of: entry.path).map({
                    linked ? $0.isOfSameBytes(as: entry.stamp) : $0 == entry.stamp
                }) == true,
            unlinkat(descriptor, entry.path, isFolder ? AT_REMOVEDIR : 0) != 0,
            ![ENOENT, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno)
        else { return nil }
        return FileFailure("remove", entry.path)
    }

    /// Whether a file still has the bytes that it had when it was seen.
    package func has(_ entry: FolderEntry) -> Bool {
        stamp(of: entry.path)?.isOfSameBytes(as: entry.stamp) == true
    }

    private func stamp(of path: String) -> FileStamp? {
        var status = stat()
        guard fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStamp(status)
    }

    /// Writes a file in the place of another, which keeps its bytes under its other names, or of a folder; a file goes
    /// that has the name of a folder above it.
    package func replace(_ file: String, _ bytes: some Collection<UInt8>) throws(FileFailure) {
        if unlinkat(descriptor, file, 0) != 0 {
            let refusal = FileFailure("write", "\(path)/\(file)")
            switch refusal.code {
            case ENOENT: break
            case EISDIR, EPERM: try clear(file, or: refusal)
            case ENOTDIR: removeFile(above: file)
            default: throw refusal
            }
        }
        try write(file, bytes)
    }

    /// Removes a folder with what is in it; what is none stays, as it was refused.
    private func clear(_ name: String, or refusal: FileFailure) throws(FileFailure) {
        let inner = "\(path)/\(name)"
        guard pathKind(inner, followsLink: false) == .folder else { throw refusal }
        try removeFolder(inner)
    }

    private func removeFile(above file: String) {
        var rest = file[...]
        while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash]
            if unlinkat(descriptor, String(rest), 0) == 0 { return }
        }
    }

    /// Removes a file, with the folders above it that have nothing else.
    package func removeWithFolders(_ file: String) {
        unlinkat(descriptor, file, 0)
        var rest = file[...]
        while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
            rest = rest[..<slash]
            guard unlinkat(descriptor, String(rest), AT_REMOVEDIR) == 0 else { return }
        }
    }
}
