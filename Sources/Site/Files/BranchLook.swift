import Files
import Platform

/// A look at the files of a branch: what each is like is kept with the folders above it. A file that was written has to
/// be there; one of the old site is known.
struct BranchLook {
    private(set) var listing = FolderListing()
    private let folder: OpenFolder
    private let path: String
    /// The folder of the last file, with the slash after it: in the order of paths what is in a folder is together.
    private var last: [UInt8]

    /// - Parameters:
    ///   - path: what the folder is called in failures.
    ///   - above: the folder that is in another branch, with the slash after it; empty for none.
    init(in folder: OpenFolder, _ path: String, above: String = "") {
        (self.folder, self.path, last) = (folder, path, Array(above.utf8))
    }

    /// Adds a file, with the folders above it that come first.
    ///
    /// - Throws: when one that was written is not there with its size.
    mutating func add(_ file: FolderListing.Record) throws(FileFailure) {
        try addFolders(above: file.path)
        if file.isSeen { return listing.add(file) }
        let name = String(decoding: file.path, as: UTF8.self)
        let entry = try entry(name)
        guard entry.kind == .file, entry.stamp.size == file.stamp.size else { throw missing(name) }
        listing.add(entry, file.digest)
    }

    private mutating func addFolders(above file: UnsafeBufferPointer<UInt8>) throws(FileFailure) {
        let folder = file.prefix(through: file.lastIndex(of: slash) ?? -1)
        if folder.elementsEqual(last) { return }
        for end in folder.indices where file[end] == slash && !last.starts(with: file[...end]) {
            try add(String(decoding: file[..<end], as: UTF8.self))
        }
        last = Array(folder)
    }

    /// Adds a folder, or a file that has no line in the manifest. The folder of the site itself has no name.
    mutating func add(_ name: String) throws(FileFailure) { listing.add(try entry(name)) }

    private func entry(_ name: String) throws(FileFailure) -> FolderEntry {
        var status = stat()
        let found =
            name.isEmpty
            ? fstat(folder.descriptor, &status)
            : fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
        guard found == 0 else { throw missing(name) }
        return FolderEntry(name, status)
    }

    private func missing(_ name: String) -> FileFailure {
        FileFailure("find", "\(path)/\(name)", code: ENOENT)
    }
}

private let slash = UInt8(ascii: "/")
