import Files
import Platform

/// What a build puts down of its site for the next one, branch by branch; it is a file without its name until it is
/// kept.
final class NewListing {
    private let file: GrowingFile
    private let waiting: String
    private let path: String
    private var branches: [KeptListing.Branch] = []
    private var isKept = false

    /// - Parameter path: what the file will be called.
    init(_ path: String) throws(FileFailure) {
        let (folder, name) = splitPath(path)
        waiting = "\(folder)/.\(name).\(randomName()).tmp"
        self.path = path
        file = try GrowingFile(waiting, rights: 0o600)
        try file.append(KeptListing.magic)
    }

    deinit { if !isKept { unlink(waiting) } }

    /// Adds a branch.
    func add(_ branch: SiteBranch, _ listing: FolderListing, files: String, pages: Int) throws {
        let bytes = listing.bytes
        branches.append(
            KeptListing.Branch(
                branch: branch, begin: file.size, end: file.size + bytes.count, hash: contentHash(bytes),
                files: files, pages: pages))
        try file.append(bytes)
    }

    /// Adds what is known of all branches.
    ///
    /// - Parameter manifest: A digest of the site's manifest.
    func finish(manifest: String) throws {
        let bytes = try ValueEncoder.bytes(of: KeptListing.Index(manifest: manifest, branches: branches))
        try file.append(bytes)
        try file.append(withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) })
        try file.append(contentHash(bytes).utf8)
        _ = try file.finish()
    }

    /// Gives the file its name, in the place of that of the build before.
    func keep() throws(FileFailure) {
        guard rename(waiting, path) == 0 else { throw FileFailure("write", path) }
        isKept = true
    }
}
