import Files
import Platform

extension OpenFolder {
    /// Requires that the folder still has its name, and every file of a manifest; returns what each file and folder is
    /// like, also the manifest itself.
    ///
    /// - Parameter paths: those of the manifest, in the order of their bytes.
    func require(
        _ paths: [String], of manifest: SiteManifest, at path: String
    ) throws(FileFailure) -> FolderListing {
        guard isStill(path) else { throw FileFailure("find", path, code: ENOENT) }
        var listing = FolderListing(room: paths.count * 4 / 3)
        // The folders above the last file: in this order what is in a folder is together.
        var above: [String] = []
        func add(_ file: String, size: Int?) throws(FileFailure) {
            var status = stat()
            let found =
                file.isEmpty
                ? fstat(descriptor, &status) : fstatat(descriptor, file, &status, AT_SYMLINK_NOFOLLOW)
            guard found == 0, size == nil || Int(status.st_size) == size else {
                throw FileFailure("find", "\(path)/\(file)", code: ENOENT)
            }
            listing.add(FolderEntry(file, status))
        }
        try add("", size: nil)
        try add(SiteManifest.name, size: nil)
        for file in paths {
            while let last = above.last, !isBelow(last, file) { above.removeLast() }
            var start = file.utf8.index(file.startIndex, offsetBy: above.last.map { $0.utf8.count + 1 } ?? 0)
            while let slash = file.utf8[start...].firstIndex(of: UInt8(ascii: "/")) {
                let folder = String(file[..<slash])
                try add(folder, size: nil)
                above.append(folder)
                start = file.utf8.index(after: slash)
            }
            try add(file, size: manifest.files[file]?.size)
        }
        return listing
    }
}

private func isBelow(_ folder: String, _ path: String) -> Bool {
    path.utf8.count > folder.utf8.count && path.utf8.starts(with: folder.utf8)
        && path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
}
