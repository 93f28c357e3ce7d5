package import Platform

/// One thing below a folder, as the file system describes it.
package struct FolderEntry: Sendable {
    package enum Kind: Sendable { case file, folder, link, other }

    /// The path from the folder.
    package var path: String
    package let kind: Kind
    /// What changes when anybody writes to it.
    package let stamp: FileStamp
    package let rights: Rights

    /// Who may do what with it.
    package struct Rights: Equatable, Sendable {
        package let mode: mode_t
        package let user: uid_t
        package let group: gid_t

        package init(mode: mode_t, user: uid_t, group: gid_t) {
            (self.mode, self.user, self.group) = (mode, user, group)
        }

        init(_ status: stat) {
            self.init(mode: status.st_mode & 0o7777, user: status.st_uid, group: status.st_gid)
        }
    }

    package init(path: String, kind: Kind, stamp: FileStamp, rights: Rights) {
        (self.path, self.kind, self.stamp, self.rights) = (path, kind, stamp, rights)
    }

    package init(_ path: String, _ status: stat) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        self.init(
            path: path, kind: kind, stamp: FileStamp(status), rights: Rights(status))
    }
}

/// What changes when anybody writes to a file, or puts another in its place.
package struct FileStamp: Hashable, Sendable {
    package let node: UInt64
    package let size: Int64
    /// Nanoseconds since 1970.
    package let written: Int64
    package let changed: Int64

    package init(node: UInt64, size: Int64, written: Int64, changed: Int64) {
        (self.node, self.size, self.written, self.changed) = (node, size, written, changed)
    }

    package init(_ status: stat) {
        node = UInt64(status.st_ino)
        size = Int64(status.st_size)
        written = nanoseconds(status.written)
        changed = nanoseconds(status.changed)
    }

    /// Of the file under a name, also behind links; nil when nothing is there.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether no one wrote to the file between two looks; it may have got or lost another name.
    package func isOfSameBytes(as other: FileStamp) -> Bool {
        node == other.node && size == other.size && written == other.written
    }
}

private func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
