import Files
import Platform

/// The files of a site that a build has written so far. Those of a branch that is done wait in a file without a name.
struct WrittenFiles {
    /// A branch that is done.
    struct Branch {
        let branch: SiteBranch
        /// A digest of the files below the folders of an app.
        let digest: String
        /// How many pages of an app it has.
        let pages: Int
        fileprivate let place: Range<Int>
    }

    /// A file, and what it is like where it is one of the old site.
    private struct Noted {
        let file: SiteManifest.File
        let entry: FolderEntry?
    }

    /// The files below the folders of an app that are those of the old site, as they are listed there.
    private struct KeptFolders {
        let listing: FolderListing
        let digest: String
    }

    private var open: [SiteBranch: [String: Noted]] = [:]
    private var keptFolders: [SiteBranch: KeptFolders] = [:]
    private var done: [SiteBranch: Branch] = [:]
    private var scratch: ScratchFile?

    /// Notes a file; false when there is one of that path, or its branch is done.
    ///
    /// - Parameter entry: what it is like, where it is the very file of the old site.
    mutating func add(
        _ path: String, in branch: SiteBranch, _ file: SiteManifest.File, _ entry: FolderEntry? = nil
    ) -> Bool {
        if done[branch] != nil || keptFolders[branch] != nil && branch.isBelowFolder(path) { return false }
        if open[branch]?[path] != nil { return false }
        open[branch, default: [:]][path] = Noted(file: file, entry: entry)
        return true
    }

    /// Notes all files below the folders of an app, which are those of the old site; false when there is one, or the
    /// branch is done.
    ///
    /// - Parameters:
    ///   - listing: the branch in the old site.
    ///   - digest: A digest of these files.
    mutating func keepFolders(of branch: SiteBranch, _ listing: FolderListing, _ digest: String) -> Bool {
        if done[branch] != nil || keptFolders[branch] != nil { return false }
        if open[branch]?.keys.contains(where: branch.isBelowFolder) == true { return false }
        keptFolders[branch] = KeptFolders(listing: listing, digest: digest)
        return true
    }

    /// Whether a file of a branch that is not done was noted by itself.
    func has(_ path: String, in branch: SiteBranch) -> Bool { open[branch]?[path] != nil }

    /// The digest of such a file.
    func digest(of path: String, in branch: SiteBranch) -> ContentDigest? {
        open[branch]?[path]?.file.digest
    }

    /// Whether no file of a branch comes any more.
    func isDone(_ branch: SiteBranch) -> Bool { done[branch] != nil }

    /// The branches that are not done.
    var openBranches: [SiteBranch] { Array(Set(open.keys).union(keptFolders.keys)) }

    /// Ends a branch: no file comes any more.
    ///
    /// - Parameter folder: where they wait.
    mutating func end(_ branch: SiteBranch, in folder: String) throws(FileFailure) -> Branch {
        if let known = done[branch] { return known }
        let files = (open.removeValue(forKey: branch) ?? [:]).sorted { isInOrder($0.key, $1.key) }
        let kept = keptFolders.removeValue(forKey: branch)
        let (listing, keptPages) = try Self.listing(of: files, kept?.listing, branch)
        let scratch: ScratchFile
        if let known = self.scratch { scratch = known } else { scratch = try ScratchFile(in: folder) }
        self.scratch = scratch
        let ended = Branch(
            branch: branch,
            digest: kept?.digest
                ?? branch.digest(of: files.map { (path: $0.key, digest: $0.value.file.digest) }),
            pages: keptPages + files.count { branch.isPage($0.key) }, place: try scratch.put(listing.bytes))
        done[branch] = ended
        return ended
    }

    /// The files of a branch in the order of the bytes of their paths, and how many pages are kept with their folders.
    private static func listing(
        of files: [(key: String, value: Noted)], _ kept: FolderListing?, _ branch: SiteBranch
    ) throws(FileFailure) -> (FolderListing, Int) {
        var (listing, pages, rest) = (FolderListing(), 0, files[...])
        func add(_ path: String, _ noted: Noted) {
            if let entry = noted.entry {
                listing.add(entry, noted.file.digest)
            } else {
                listing.add(file: path, size: noted.file.size, noted.file.digest)
            }
        }
        if let kept {
            let isWhole = kept.forEach { record in
                if record.isFolder || !branch.isBelowFolder(record.path) { return true }
                while let (path, noted) = rest.first, isInOrder(path, record.path) {
                    add(path, noted)
                    rest.removeFirst()
                }
                listing.add(record)
                if branch.isPage(record.path) { pages += 1 }
                return true
            }
            guard isWhole else { throw KeptListing.damage }
        }
        for (path, noted) in rest { add(path, noted) }
        return (listing, pages)
    }

    /// How many pages of some apps there are; folders that are kept count when their branch is done.
    func pages(of apps: Set<SiteBranch>) -> Int {
        apps.reduce(0) { sum, app in
            sum + (done[app]?.pages ?? 0) + (open[app] ?? [:]).keys.count { app.isPage($0) }
        }
    }

    /// Every branch that is done, in the order of the bytes of what its paths begin with; the branch of no app is the last
    /// one.
    var branches: [Branch] {
        done.values.sorted {
            ($0.branch == .rest ? 1 : 0, $0.branch.prefix) < ($1.branch == .rest ? 1 : 0, $1.branch.prefix)
        }
    }

    /// The files of a branch that is done, in the order of the bytes of their paths.
    func files(of branch: Branch) throws(FileFailure) -> FolderListing {
        let bytes = try scratch?.bytes(at: branch.place) ?? []
        guard let listing = FolderListing(bytes: bytes) else { throw Self.damage }
        return listing
    }

    /// What is thrown where it cannot be read as it was put down.
    static let damage = FileFailure("read as it was", "what was written", code: ESTALE)
}
