import Files

/// The manifest of a site that was written, and what the next build may know of it. They are written branch by branch,
/// in the order of the bytes of all paths.
struct SiteRecord {
    private let folder: OpenFolder
    private let path: String
    /// The files in whose place there is something that is kept.
    private let overruled: Set<String>

    init(_ folder: OpenFolder, _ path: String, _ overruled: Set<String>) {
        (self.folder, self.path, self.overruled) = (folder, path, overruled)
    }

    /// Writes both.
    ///
    /// - Parameters:
    ///   - branches: all of them, that of no app last.
    ///   - listing: what is put down for the next build; it is not needed.
    /// - Returns: the file of the manifest, and the listing when all could be put down.
    /// - Throws: when a file is not there as it was written.
    func write(
        _ branches: [WrittenFiles.Branch], of written: WrittenFiles, _ listing: NewListing?
    ) throws(FileFailure) -> (SiteManifest.File, NewListing?) {
        var listing = listing
        let manifest = try GrowingFile(SiteManifest.name, in: folder)
        try manifest.append(SiteManifest.head)
        var isFirst = true
        func add(_ file: (path: String, file: SiteManifest.File)) throws(FileFailure) {
            try manifest.append(SiteManifest.line(file.path, file.file, isFirst: isFirst))
            isFirst = false
        }
        func put(_ look: BranchLook, of branch: WrittenFiles.Branch) {
            do {
                try listing?.add(branch.branch, look.listing, files: branch.digest, pages: branch.pages)
            } catch {
                listing = nil
            }
        }
        guard let last = branches.last else { throw FileFailure("find", path) }
        let apps = branches.dropLast()
        let rest = try files(of: last, written)
        var waiting = rest[...]
        for branch in apps {
            while let next = waiting.first, isInOrder(next.path, branch.branch.prefix) {
                try add(next)
                waiting.removeFirst()
            }
            var look = BranchLook(in: folder, path, above: ["apps"])
            for file in try files(of: branch, written) {
                try add(file)
                try look.add(file.path, file.file)
            }
            put(look, of: branch)
        }
        for file in waiting { try add(file) }
        try manifest.append(SiteManifest.end)
        let size = manifest.size
        let file = SiteManifest.File(size: size, digest: try manifest.finish())
        var look = BranchLook(in: folder, path)
        for name in ["", SiteManifest.name] { try look.add(name) }
        if !apps.isEmpty { try look.add("apps") }
        for file in rest { try look.add(file.path, file.file) }
        put(look, of: last)
        do {
            try listing?.finish(manifest: "\(file.digest)")
        } catch {
            listing = nil
        }
        return (file, listing)
    }

    private func files(
        of branch: WrittenFiles.Branch, _ written: WrittenFiles
    ) throws(FileFailure) -> [(path: String, file: SiteManifest.File)] {
        try written.files(of: branch).filter { !overruled.contains($0.path) }
    }
}
