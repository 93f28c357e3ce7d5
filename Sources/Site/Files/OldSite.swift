import AppHealth
import Files

/// What a look at the folder of a site showed.
enum SiteLook: Sendable {
    /// It is just as a build left it.
    case known(KeptListing)
    case seen(SiteInspection)
}

/// What builds made of the site before, and no one changed since, one branch at a time.
struct OldSite: Sendable {
    /// A file of it.
    struct File: Sendable {
        let entry: FolderEntry
        let file: SiteManifest.File

        init(entry: FolderEntry, file: SiteManifest.File) { (self.entry, self.file) = (entry, file) }

        /// A file that is listed with its digest; nil for anything else.
        init?(_ item: FolderListing.Item) {
            guard let digest = item.digest else { return nil }
            entry = item.entry
            file = SiteManifest.File(size: Int(item.entry.stamp.size), digest: digest)
        }
    }

    let look: SiteLook
    /// For each branch of a site that was seen, the places of its entries.
    private let places: [SiteBranch: [Int]]

    init(_ look: SiteLook) {
        self.look = look
        switch look {
        case .known: places = [:]
        case .seen(let inspection):
            var places: [SiteBranch: [Int]] = [:]
            for place in inspection.entries.indices where inspection.isMade(at: place) {
                places[SiteBranch(of: inspection.entries[place].path), default: []].append(place)
            }
            self.places = places
        }
    }

    /// The files of a branch by their paths.
    ///
    /// - Throws: when what was kept of it cannot be read any more.
    func files(of branch: SiteBranch) throws(FileFailure) -> [String: File] {
        var files: [String: File] = [:]
        switch look {
        case .known(let listing):
            let items = try listing.items(of: branch)
            files.reserveCapacity(items.count)
            for item in items { files[item.entry.path] = File(item) }
        case .seen(let inspection):
            for place in places[branch] ?? [] {
                let entry = inspection.entries[place]
                files[entry.path] = inspection.file(at: place).map { File(entry: entry, file: $0) }
            }
        }
        return files
    }

    /// The files in the folder of an app itself, by their paths.
    ///
    /// - Throws: when what was kept of them cannot be read any more.
    func topFiles(of branch: SiteBranch) throws(FileFailure) -> [String: File] {
        guard case .known(let listing) = look else {
            return try files(of: branch).filter { !branch.isBelowFolder($0.key) }
        }
        var files: [String: File] = [:]
        let isWhole = listing.listing(of: branch)?.forEach { record in
            if record.isFolder || branch.isBelowFolder(record.path) { return true }
            guard let item = record.item else { return false }
            files[item.entry.path] = File(item)
            return true
        }
        guard isWhole == true else { throw KeptListing.damage }
        return files
    }

    /// A digest of the files below the folders of an app.
    func digest(of app: Slug) -> String { digest(of: SiteBranch(app)) }

    /// The same of the branch of an app.
    func digest(of branch: SiteBranch) -> String {
        switch look {
        case .known(let listing): return listing.digest(of: branch) ?? branch.digest(of: [])
        case .seen(let inspection):
            let files = (places[branch] ?? []).compactMap { place in
                inspection.file(at: place).map { (path: inspection.entries[place].path, digest: $0.digest) }
            }
            return branch.digest(of: files.sorted { isInOrder($0.path, $1.path) })
        }
    }

    /// The folders of apps that it has, of those too that the configuration does not name any more.
    var apps: Set<SiteBranch> {
        let all =
            switch look {
            case .known(let listing): Set(listing.all)
            case .seen: Set(places.keys)
            }
        return all.subtracting([.rest])
    }

    /// How many pages of apps it has.
    func pages(of apps: Set<SiteBranch>) -> Int {
        switch look {
        case .known(let listing): listing.pages(of: apps)
        case .seen(let inspection):
            apps.reduce(0) { sum, app in
                sum + (places[app] ?? []).count { app.isPage(inspection.entries[$0].path) }
            }
        }
    }
}
