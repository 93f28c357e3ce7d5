import Files
import Platform

/// The site before the one that visitors see. The next one is made in its folder, by changing what changed since: no file
/// that stays needs a second name, and none of the old site has to be removed.
///
/// It is an aid alone. What is not as it was listed is never believed, and no file that came to it is lost.
struct SpareSite {
    let path: String
    /// What it was like when a build had written it; nil when that is not known.
    let listing: KeptListing?

    /// Lets the folder have the very files of the site that visitors see, under second names.
    ///
    /// - Parameters:
    ///   - folder: the folder, wherever it is by now.
    ///   - present: what the other site is like.
    ///   - output: where it is.
    /// - Returns: false when the folder is not as it was listed; nothing in it is changed then.
    func catchUp(
        _ folder: OpenFolder, with present: KeptListing, at output: String
    ) throws(FileFailure) -> Bool {
        guard let listing, listing.isStill(in: folder, foldersAlone: true) else { return false }
        // Only the names are held: of a large site the changes are many.
        var changed: [SiteBranch] = []
        for branch in listing.all + present.all.filter({ !listing.has($0) }) {
            guard let changes = changes(listing, present, branch), changes.isStill(in: folder) else {
                return false
            }
            if !changes.isEmpty { changed.append(branch) }
        }
        for branch in changed {
            guard let changes = changes(listing, present, branch) else {
                throw KeptListing.damage
            }
            try changes.make(in: folder, from: output)
        }
        // Whoever looks after the site looks after the folders that visitors see.
        let current = try OpenFolder(output)
        for branch in present.all { present.listing(of: branch)?.giveFolderRights(in: folder, from: current) }
        return true
    }

    private func changes(
        _ before: KeptListing, _ present: KeptListing, _ branch: SiteBranch
    ) -> FolderChanges? {
        guard let after = present.listing(of: branch) else { return nil }
        return before.listing(of: branch)?.changes(to: after)
    }
}
