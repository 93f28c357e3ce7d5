import Platform

/// Files and folders of another folder, which get a place in this one as they are there: with their owner, group, rights,
/// access lists, other attributes and times.
extension OpenFolder {
    /// Gives a file or a link of another folder a second name here; where the file system does not, copies it.
    ///
    /// - Returns: false when it is a copy that could not get all that the file has; see `giveRights`.
    @discardableResult
    package func link(_ entry: FolderEntry, from root: String) throws(FileFailure) -> Bool {
        let source = "\(root)/\(entry.path)"
        if linkat(AT_FDCWD, source, descriptor, entry.path, 0) == 0 { return true }
        if errno == ENOENT {
            try makeFolders(above: entry.path)
            if linkat(AT_FDCWD, source, descriptor, entry.path, 0) == 0 { return true }
        }
        guard [EPERM, EMLINK, EXDEV, ENOSYS, EOPNOTSUPP].contains(errno) else {
            throw FileFailure("keep", source)
        }
        switch entry.kind {
        case .file:
            // Its rights may let fewer users read it than those of a new file.
            do throws(FileFailure) {
                try copyFile(source, to: entry.path, in: descriptor, rights: 0o600)
            } catch {
                guard error.path == entry.path else { throw error }
                throw FileFailure(error.action, "\(path)/\(entry.path)", code: error.code)
            }
            return giveRights(of: entry, from: root)
        case .link:
            guard let target = linkTarget(source), symlinkat(target, descriptor, entry.path) == 0 else {
                throw FileFailure("keep", source)
            }
            let rights = entry.rights
            _ = fchownat(descriptor, entry.path, rights.user, rights.group, AT_SYMLINK_NOFOLLOW)
            return true
        case .folder, .other: throw FileFailure("keep", source)
        }
    }

    /// Makes a folder that only this user may enter, with those above it; one that exists is closed to all others.
    ///
    /// What others may not read can be put into it, and `giveRights` opens it when that is done.
    package func makeClosedFolder(_ name: String) throws(FileFailure) {
        try makeFolders(above: name)
        if uninterrupted({ mkdirat(descriptor, name, 0o700) }) == 0 { return }
        let folder =
            errno == EEXIST ? uninterrupted { openat(descriptor, name, Self.folderFlags) } : -1
        guard folder >= 0 else { throw FileFailure("make the folder", "\(path)/\(name)") }
        defer { Platform.close(folder) }
        guard fchmod(folder, 0o700) == 0 else { throw FileFailure("close", "\(path)/\(name)") }
    }

    /// Lets what is made in this folder get the group and the access list that it would get in another folder, while only
    /// this user may enter it.
    ///
    /// - Returns: false when this process may not give the group to anything.
    package func prepareClosed(for entry: FolderEntry, from root: String) -> Bool {
        let source = uninterrupted { open(root, Self.folderFlags) }
        guard source >= 0 else { return false }
        defer { Platform.close(source) }
        guard takes(entry.rights.group, descriptor),
            fchmod(descriptor, 0o700 | entry.rights.mode & mode_t(S_ISGID)) == 0
        else { return false }
        // It is no loss to have none until `giveRights`.
        _ = cplatform_copy_default_access(source, descriptor)
        return true
    }

    /// Gives a file or a folder all that the same one of another folder has besides what is in it; an empty path is this
    /// folder itself, which keeps its own time.
    ///
    /// - Returns: false when the system refused some of it. The rights are less then: the group and all others may do
    ///   what both could do before.
    @discardableResult
    package func giveRights(of entry: FolderEntry, from root: String) -> Bool {
        let flags = entry.kind == .folder ? Self.folderFlags : Self.fileFlags
        let name = entry.path.isEmpty ? "." : entry.path
        let own = uninterrupted { openat(descriptor, name, flags) }
        guard own >= 0 else { return false }
        defer { Platform.close(own) }
        let source = uninterrupted { open("\(root)/\(name)", flags) }
        guard source >= 0 else { return false }
        defer { Platform.close(source) }
        let isWhole = give(entry.rights, own, from: source)
        if !entry.path.isEmpty { _ = cplatform_set_written(own, entry.stamp.writtenTime) }
        return isWhole
    }

    /// Gives a folder the rights of the same one of another folder; an empty path is this folder itself.
    func giveFolderRights(_ folder: String, _ rights: FolderEntry.Rights, from other: OpenFolder) {
        let name = folder.isEmpty ? "." : folder
        let own = uninterrupted { openat(descriptor, name, Self.folderFlags) }
        guard own >= 0 else { return }
        defer { Platform.close(own) }
        let source = uninterrupted { openat(other.descriptor, name, Self.folderFlags) }
        guard source >= 0 else { return }
        defer { Platform.close(source) }
        _ = give(rights, own, from: source)
    }

    private func give(_ rights: FolderEntry.Rights, _ own: Int32, from source: Int32) -> Bool {
        var status = stat()
        let isTheirs =
            isOf(rights.user, rights.group, own) || fchown(own, rights.user, rights.group) == 0
            || takes(rights.group, own) && isOf(rights.user, rights.group, own)
        // An access list opens it, so the owner comes first.
        guard isTheirs, cplatform_copy_attributes(source, own) == 0 else {
            _ = fchmod(own, rights.shared)
            return false
        }
        // The system drops what this process may not give.
        return fchmod(own, rights.mode) == 0 && fstat(own, &status) == 0
            && status.st_mode & 0o7777 == rights.mode
    }

    /// Whether an open file has a group, or gets it.
    private func takes(_ group: gid_t, _ file: Int32) -> Bool {
        isOf(nil, group, file) || fchown(file, uid_t.max, group) == 0
    }

    /// Whether an open file has an owner, where one is named, and a group. Then the system is not asked to change them: a
    /// hardened service may not make that call at all.
    private func isOf(_ user: uid_t?, _ group: gid_t, _ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_gid == group && user.map { $0 == status.st_uid } ?? true
    }

    private static let fileFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW
    private static let folderFlags = fileFlags | O_DIRECTORY
}

extension FolderEntry.Rights {
    /// The rights of the owner, and for the group and all others those that both have.
    fileprivate var shared: mode_t {
        let both = mode >> 3 & mode & 0o7
        return mode & 0o700 | both << 3 | both
    }
}

extension FileStamp {
    fileprivate var writtenTime: timespec {
        let (seconds, rest) = written.quotientAndRemainder(dividingBy: 1_000_000_000)
        return timespec(
            tv_sec: Int(rest < 0 ? seconds - 1 : seconds),
            tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    }
}
