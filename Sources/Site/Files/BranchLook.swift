import Files
import Platform

/// A look at the files of a branch that were just written: each has to be there, and what it is like is kept with the
/// folders above it.
struct BranchLook {
    private(set) var listing = FolderListing()
    private let folder: OpenFolder
    private let path: String
    /// The folders above the last file: in the order of paths what is in a folder is together.
    private var above: [String]

    /// - Parameters:
    ///   - path: what the folder is called in failures.
    ///   - above: the folders that are in another branch.
    init(in folder: OpenFolder, _ path: String, above: [String] = []) {
        (self.folder, self.path, self.above) = (folder, path, above)
    }

    /// Adds a file, with the folders above it that come first.
    ///
    /// - Throws: when it is not there with its size.
    mutating func add(_ file: String, _ written: SiteManifest.File) throws(FileFailure) {
        while let last = above.last, !isBelow(last, file) { above.removeLast() }
        var start = file.utf8.index(file.startIndex, offsetBy: above.last.map { $0.utf8.count + 1 } ?? 0)
        while let slash = file.utf8[start...].firstIndex(of: UInt8(ascii: "/")) {
            let name = String(file[..<slash])
            try add(name)
            above.append(name)
            start = file.utf8.index(after: slash)
        }
        let entry = try entry(file)
        guard entry.kind == .file, Int(entry.stamp.size) == written.size else { throw missing(file) }
        listing.add(entry, written.digest)
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

private func isBelow(_ folder: String, _ path: String) -> Bool {
    path.utf8.count > folder.utf8.count && path.utf8.starts(with: folder.utf8)
        && path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
}
