import Files
import Platform

/// What is in the folder of a target before a publication.
struct OldFolder {
    let path: String
    /// The folder itself.
    let root: FolderEntry
    /// Everything in it, each folder before what is in it.
    let entries: [FolderEntry]

    /// - Returns: nil when there is no folder.
    /// - Throws: also when something is mounted in it.
    init?(_ path: String) throws(FileFailure) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        self.path = path
        root = FolderEntry("", status)
        entries = try folderEntries(path)
    }

    /// What stays: files that no publication put there, or that were changed since, and folders that are not empty
    /// just because files of publications go.
    private func staying(_ plan: PublicationPlan, _ site: SiteFolder) -> [FolderEntry] {
        let published = plan.last?.manifest.files ?? [:]
        let removals = Set(plan.removals)
        let new = Set(site.files.map(\.path)).union([PublicationManifest.path])
        let ours = folders(above: published.keys)
        var needed = folders(above: new)
        var staying: [FolderEntry] = []
        for entry in entries.reversed() {
            let name = PublishedPath(entry.path)
            let stays =
                if entry.kind == .folder {
                    needed.contains(name) || !ours.contains(name) && !new.contains(name)
                } else {
                    !new.contains(name)
                        && !(removals.contains(name) && isUnchanged("\(path)/\(name)", published[name]))
                }
            guard stays else { continue }
            staying.append(entry)
            if let folder = name.folder { needed.insert(folder) }
        }
        return staying.reversed()
    }

    /// Puts what stays into the new folder, in which there is nothing yet. The new folder itself stays closed to others.
    ///
    /// - Returns: what publications put there, the site has dropped and stays all the same; nil when some of it cannot
    ///   be there as it is here, such as a folder of another user.
    func carryOver(
        to folder: OpenFolder, _ plan: PublicationPlan, _ site: SiteFolder
    ) throws(FileFailure) -> [PublishedPath]? {
        let staying = staying(plan, site)
        // Where a link is in the place of a folder, the new one would be filled through it, where readers are.
        let needed = folders(above: site.files.lazy.map(\.path))
        guard staying.allSatisfy({ $0.kind == .folder || !needed.contains(PublishedPath($0.path)) }) else {
            return nil
        }
        let carried = staying.filter { $0.kind == .folder }
        guard carried.allSatisfy(mayBeMade), mayBeMade(root), folder.prepareClosed(for: root, from: path)
        else { return nil }
        for entry in staying {
            guard try carry(entry, to: folder) else { return nil }
        }
        guard carried.reversed().allSatisfy({ folder.giveRights(of: $0, from: path) }) else { return nil }
        let stays = Set(staying.lazy.map { PublishedPath($0.path) })
        return plan.removals.filter { stays.contains($0) && !needed.contains($0) }
    }

    private func carry(_ entry: FolderEntry, to folder: OpenFolder) throws(FileFailure) -> Bool {
        if entry.kind == .folder {
            try folder.makeClosedFolder(entry.path)
            return true
        }
        do throws(FileFailure) {
            return try folder.link(entry, from: path)
        } catch {
            // Others may remove what is theirs at any time.
            if fileKind("\(path)/\(entry.path)") == .missing { return true }
            throw error
        }
    }

    /// Whether this process may make such a folder, fill it and remove it.
    private func mayBeMade(_ folder: FolderEntry) -> Bool {
        let user = geteuid()
        return folder.rights.mode & 0o700 == 0o700 && (user == 0 || user == folder.rights.user)
    }
}

private func folders(above paths: some Sequence<PublishedPath>) -> Set<PublishedPath> {
    var folders: Set<PublishedPath> = []
    for path in paths {
        var next = path.folder
        while let folder = next, folders.insert(folder).inserted { next = folder.folder }
    }
    return folders
}
