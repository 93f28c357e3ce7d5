import Diagnostics
import Files
import Platform

/// The swap by a link: visitors see a link to a folder next to it, and a build lets the link lead to another folder by
/// one rename. Old or new is there at each instant, also on file systems that cannot exchange two folders.
extension StagedSite {
    /// What is reported before the first build of this kind: a folder becomes a link.
    static func becomesLink(_ place: SitePlace) -> Diagnostic? {
        guard place.linked == nil, pathKind(place.output) == .folder else { return nil }
        return .warning(
            "site.becomes-link", "The site folder becomes a link to a folder next to it",
            details: [
                "the old folder stays until the new site is in its place, and until the build after that",
                "where two names cannot be exchanged there is no site for a moment, this once",
            ], at: .file(path: place.output), hints: ["see that the web server follows links"])
    }

    /// Gives the staging folder a name of its own and lets the link lead to it.
    func takePlaceByLink() throws(FileFailure) {
        let id = String(staging.suffix(32))
        let folder = place.linkedName(id)
        let link = staging + ".link"
        guard rename(staging, "\(place.parent)/\(folder)") == 0 else {
            throw FileFailure("move the new site to", "\(place.parent)/\(folder)")
        }
        do throws(FileFailure) {
            // On the disk before a link leads to it.
            try syncFolder(place.parent)
            guard symlink(folder, link) == 0 else { throw FileFailure("make the link", link) }
            try switchLink(link)
        } catch {
            unlink(link)
            // Its old name, by which it is removed.
            _ = rename("\(place.parent)/\(folder)", staging)
            throw error
        }
    }

    private func switchLink(_ link: String) throws(FileFailure) {
        if let old = place.linked {
            try keepAsPrevious(old)
            guard rename(link, output) == 0 else { throw FileFailure("move the new link to", output) }
        } else if let old = try putInPlace(
            link, of: output, movingOldTo: staging + ".old", what: "link")
        {
            // The new site is there: what is left to do is done by the next build, should it not succeed.
            let name = place.linkedName(randomName())
            if rename(old, "\(place.parent)/\(name)") == 0 { try? keepAsPrevious(name) }
        }
    }

    /// Points to the folder of the old site, by which a later build knows which one to keep.
    private func keepAsPrevious(_ folder: String) throws(FileFailure) {
        let link = staging + ".previous"
        guard symlink(folder, link) == 0 else { throw FileFailure("make the link", link) }
        guard rename(link, place.previousLink) == 0 else {
            let failure = FileFailure("move the link to", place.previousLink)
            unlink(link)
            throw failure
        }
    }

    /// Removes the folders of older sites, but not that of the site before; and of none what was added to it.
    func removeOlder() -> [Diagnostic] { removeOlder(at: place, sparing: [place.linked, place.previous]) }

    /// Removes what builds with `swap: link` kept of the site before, where a folder is replaced again.
    func removeFormer() -> [Diagnostic] {
        guard let former = place.former else { return [] }
        let removed = removeOlder(at: former, sparing: [former.linked])
        if former.previous != nil { unlink(former.previousLink) }
        return removed
    }

    private func removeOlder(at place: SitePlace, sparing kept: [String?]) -> [Diagnostic] {
        let known = self.kept?.listing?.stamps ?? [:]
        return place.linkedNames.filter { !kept.contains($0) }.compactMap { name in
            let folder = "\(place.parent)/\(name)"
            guard let found = try? SiteInspection(folder, policy, known: known) else { return nil }
            return removeSite(at: folder, .seen(found), of: output, sparing: Set(found.lost))
        }
    }
}

/// Lets the link of a build lead to the old site again when the folder of the newest is gone.
func restoreLink(_ place: SitePlace) {
    guard let linked = place.linked, pathKind("\(place.parent)/\(linked)", followsLink: false) == .missing,
        let previous = place.previous, pathKind("\(place.parent)/\(previous)", followsLink: false) == .folder
    else { return }
    let link = "\(place.parent)/.\(place.name).staging-\(randomName()).link"
    guard symlink(previous, link) == 0 else { return }
    if rename(link, place.output) == 0 { try? syncFolder(place.parent) } else { unlink(link) }
}
