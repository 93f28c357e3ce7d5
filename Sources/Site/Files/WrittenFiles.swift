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

    private var open: [SiteBranch: [String: SiteManifest.File]] = [:]
    private var done: [SiteBranch: Branch] = [:]
    private var scratch: ScratchFile?

    /// Notes a file; false when there is one of that path, or its branch is done.
    mutating func add(_ path: String, in branch: SiteBranch, _ file: SiteManifest.File) -> Bool {
        done[branch] == nil && open[branch, default: [:]].updateValue(file, forKey: path) == nil
    }

    /// Whether a file of a branch that is not done was noted.
    func has(_ path: String, in branch: SiteBranch) -> Bool { open[branch]?[path] != nil }

    /// Whether no file of a branch comes any more.
    func isDone(_ branch: SiteBranch) -> Bool { done[branch] != nil }

    /// The branches that are not done.
    var openBranches: [SiteBranch] { Array(open.keys) }

    /// Ends a branch: no file comes any more.
    ///
    /// - Parameter folder: where they wait.
    mutating func end(_ branch: SiteBranch, in folder: String) throws(FileFailure) -> Branch {
        if let known = done[branch] { return known }
        let files = (open.removeValue(forKey: branch) ?? [:]).sorted { isInOrder($0.key, $1.key) }
        var listing = FolderListing()
        for (path, file) in files { listing.add(file: path, size: file.size, file.digest) }
        let scratch: ScratchFile
        if let known = self.scratch { scratch = known } else { scratch = try ScratchFile(in: folder) }
        self.scratch = scratch
        let ended = Branch(
            branch: branch, digest: branch.digest(of: files.map { (path: $0.key, digest: $0.value.digest) }),
            pages: files.count { branch.isPage($0.key) }, place: try scratch.put(listing.bytes))
        done[branch] = ended
        return ended
    }

    /// How many pages of some apps there are.
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
    func files(of branch: Branch) throws(FileFailure) -> [(path: String, file: SiteManifest.File)] {
        let bytes = try scratch?.bytes(at: branch.place) ?? []
        guard let items = FolderListing(bytes: bytes)?.items else {
            throw FileFailure("read as it was", "what was written", code: ESTALE)
        }
        return items.compactMap { item in
            item.digest.map {
                (item.entry.path, SiteManifest.File(size: Int(item.entry.stamp.size), digest: $0))
            }
        }
    }
}
