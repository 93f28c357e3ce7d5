import Files
import Platform

/// What a build puts down of its site for the next one, branch by branch; it is a file without its name until it is
/// kept.
final class NewListing {
    private let file: GrowingFile
    private let waiting: String
    private let path: String
    private let kept: [String]
    private let fileMode: mode_t
    private var branches: [KeptListing.Branch] = []
    private var isKept = false

    /// - Parameters:
    ///   - path: what the file will be called.
    ///   - kept: what stays in the site, by the paths under which the policy has it.
    ///   - fileMode: the rights of the files that the build writes.
    init(_ path: String, kept: [String], fileMode: mode_t) throws(FileFailure) {
        let (folder, name) = splitPath(path)
        waiting = "\(folder)/.\(name).\(randomName()).tmp"
        (self.path, self.kept, self.fileMode) = (path, kept, fileMode)
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
        let index = KeptListing.Index(
            manifest: manifest, fileMode: UInt32(fileMode), kept: kept, branches: branches)
        let bytes = try ValueEncoder.bytes(of: index)
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
