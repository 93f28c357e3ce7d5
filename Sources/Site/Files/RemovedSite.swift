import Diagnostics
import Files
import Platform

/// Removes a site in whose place another one is by now, or that is gone, but no file that came, or was written to, after
/// the last look at it: what is left then goes to a folder next to the site, or stays where that cannot be.
///
/// - Parameters:
///   - path: where it is by now.
///   - look: what it was like.
///   - output: where it was.
///   - linked: the paths of files that have got another name since.
///   - spared: the paths of files that are not removed either.
///   - carried: what the new site has taken over of it.
func removeSite(
    at path: String, _ look: SiteLook, of output: String, linked: Set<String> = [],
    sparing spared: Set<String> = [], carried: [FolderEntry] = []
) -> Diagnostic? {
    var refusal: FileFailure?
    let manifest = look.manifest(in: path)
    if let folder = try? OpenFolder(path) {
        func remove(_ entry: FolderEntry, linked: Bool) {
            let refused = folder.remove(entry, linked: linked)
            if refusal == nil { refusal = refused }
        }
        switch look {
        case .known(let listing):
            for branch in listing.all {
                for item in ((try? listing.items(of: branch)) ?? []).reversed() {
                    remove(item.entry, linked: true)
                }
            }
            for entry in carried.reversed() { remove(entry, linked: true) }
            guard let manifest, rmdir(path) != 0 else { break }
            for entry in ownEntries(at: path, manifest).reversed() { remove(entry, linked: true) }
        case .seen(let found):
            for entry in manifestLast(found.entries.reversed()) where !spared.contains(entry.path) {
                let isLinked = found.owner(of: entry.path) == .kept || linked.contains(entry.path)
                remove(entry, linked: isLinked)
            }
        }
    }
    return setAside(path, of: output, refusal)
}

/// The same entries, but the manifest after all others: as long as anything is left of a site, it says what builds made.
func manifestLast(_ entries: some Sequence<FolderEntry>) -> [FolderEntry] {
    var entries = Array(entries)
    if let place = entries.firstIndex(where: { $0.path == SiteManifest.name }) {
        entries.append(entries.remove(at: place))
    }
    return entries
}

/// Puts what is left in the folder of a site, after all that builds made is removed from it, next to the site.
///
/// - Parameters:
///   - output: where the site is, or was.
///   - refusal: what the system said where it did not let a file go.
///   - isLeft: whether it is the folder of a build that did not end.
/// - Returns: where it is; nil when nothing is left.
func setAside(
    _ path: String, of output: String, _ refusal: FileFailure?, isLeft: Bool = false
) -> Diagnostic? {
    guard let remainder = removeOrSetAside(path, nextTo: output, after: refusal) else { return nil }
    let rest = remainder.path
    if let refusal = remainder.refusal {
        return .warning(
            "site.not-removed",
            isLeft
                ? "The folder of a build that did not end could not be removed"
                : "The previous site, which is replaced, could not be removed",
            details: [refusal.diagnostic.summary, "it is in '\(rest)'"], at: .file(path: rest),
            hints: ["remove the folder as the user who owns it"])
    }
    return .warning(
        "site.late-files",
        isLeft
            ? "Files were written to the folder of a build that did not end"
            : "Files were written to the previous site, which is replaced",
        details: ["they are in '\(rest)'"], at: .file(path: rest),
        hints: ["move them where they belong, or remove the folder"])
}

extension SiteLook {
    /// The manifest of a listed site in the folder where it is by now; nil when that is not the listed one, and where
    /// files were compared with it already.
    fileprivate func manifest(in path: String) -> [UInt8]? {
        guard case .known(let listing) = self, let bytes = (try? SiteManifest.readBytes(in: path)) ?? nil,
            contentHash(bytes) == listing.manifest
        else { return nil }
        return bytes
    }
}

/// What a folder holds of a site as its manifest has it, besides folders: a site that was copied to its place, or whose
/// files were touched, has other inodes and times than those that were listed.
private func ownEntries(at path: String, _ manifest: [UInt8]) -> [FolderEntry] {
    guard let found = try? SiteInspection(path, OutputPolicy(), manifest: manifest) else { return [] }
    return found.entries.filter { entry in
        if case .build? = found.owner(of: entry.path) { true } else { entry.kind == .folder }
    }
}

extension SpareSite {
    /// Removes the folder, but nothing that came to it.
    ///
    /// - Parameters:
    ///   - place: where it is by now; nil while it is where it was kept.
    ///   - output: where it was.
    func remove(at place: String? = nil, _ policy: OutputPolicy, of output: String) -> Diagnostic? {
        let path = place ?? path
        if let listing, listing.isWhole, isListed(at: path, by: listing) {
            return removeSite(at: path, .known(listing), of: output)
        }
        do throws(FileFailure) {
            let found = try SiteInspection(path, policy)
            return removeSite(at: path, .seen(found), of: output, sparing: Set(found.lost))
        } catch {
            return setAside(path, of: output, error)
        }
    }

    /// Whether a listing is that of the site in the folder: a build that was killed as it kept both left that of an older
    /// site.
    private func isListed(at path: String, by listing: KeptListing) -> Bool {
        guard let manifest = (try? SiteManifest.readBytes(in: path)) ?? nil else { return true }
        return contentHash(manifest) == listing.manifest
    }
}
