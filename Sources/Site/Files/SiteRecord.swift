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
        let manifest = try GrowingManifest(in: folder)
        func put(_ look: BranchLook, of branch: WrittenFiles.Branch) {
            do {
                try listing?.add(branch.branch, look.listing, files: branch.digest, pages: branch.pages)
            } catch {
                listing = nil
            }
        }
        guard let last = branches.last else { throw FileFailure("find", path) }
        let apps = branches.dropLast()
        let rest = try written.files(of: last)
        var waiting = try lines(of: rest)[...]
        for branch in apps {
            while let next = waiting.first, isInOrder(next.path, branch.branch.prefix) {
                try manifest.add(next.path.utf8, next.file)
                waiting.removeFirst()
            }
            var look = BranchLook(in: folder, path, above: "apps/")
            try forEachFile(in: try written.files(of: branch)) { (record, file) throws(FileFailure) in
                try manifest.add(record.path, file)
                try look.add(record)
            }
            put(look, of: branch)
        }
        for line in waiting { try manifest.add(line.path.utf8, line.file) }
        let file = try manifest.finish()
        var look = BranchLook(in: folder, path)
        for name in ["", SiteManifest.name] { try look.add(name) }
        if !apps.isEmpty { try look.add("apps") }
        try forEachFile(in: rest) { (record, _) throws(FileFailure) in try look.add(record) }
        put(look, of: last)
        do {
            try listing?.finish(manifest: "\(file.digest)")
        } catch {
            listing = nil
        }
        return (file, listing)
    }

    private func lines(
        of listing: FolderListing
    ) throws(FileFailure) -> [(path: String, file: SiteManifest.File)] {
        var lines: [(path: String, file: SiteManifest.File)] = []
        try forEachFile(in: listing) { (record, file) throws(FileFailure) in
            lines.append((String(decoding: record.path, as: UTF8.self), file))
        }
        return lines
    }

    private func forEachFile(
        in listing: FolderListing,
        _ body: (FolderListing.Record, SiteManifest.File) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let isWhole = try listing.forEach { (record) throws(FileFailure) -> Bool in
            guard let digest = record.digest else { return false }
            if overruled.isEmpty || !overruled.contains(String(decoding: record.path, as: UTF8.self)) {
                try body(record, SiteManifest.File(size: Int(record.stamp.size), digest: digest))
            }
            return true
        }
        guard isWhole else { throw WrittenFiles.damage }
    }
}

/// The manifest of a site while it is written.
private final class GrowingManifest {
    private let file: GrowingFile
    private var line: [UInt8] = []
    private var isFirst = true

    init(in folder: OpenFolder) throws(FileFailure) {
        file = try GrowingFile(SiteManifest.name, in: folder)
        try file.append(SiteManifest.head)
    }

    /// Adds the line of a file.
    func add(_ path: some Collection<UInt8>, _ named: SiteManifest.File) throws(FileFailure) {
        line.removeAll(keepingCapacity: true)
        SiteManifest.appendLine(path, named, isFirst: isFirst, to: &line)
        isFirst = false
        try file.append(line)
    }

    /// Ends it; returns what it is like as a file.
    func finish() throws(FileFailure) -> SiteManifest.File {
        try file.append(SiteManifest.end)
        let size = file.size
        return SiteManifest.File(size: size, digest: try file.finish())
    }
}
