package import Configuration
import Diagnostics
import Files
import Platform

/// The right to write a site; two builds of one site do not run at once.
///
/// - Throws: `site.held` when another process keeps it for longer than is waited.
func lockSite(_ output: String, waiting seconds: Int) throws(Diagnostic) -> FileLock {
    let (parent, name) = splitPath(output)
    let lock = try diagnosed { () throws(FileFailure) in
        try FileLock.acquire("\(parent)/.\(name).lock", waiting: seconds)
    }
    if let lock { return lock }
    throw .error(
        "site.held", "Another build is writing this site", details: ["waited \(seconds) s"],
        at: .file(path: output), hints: ["wait, then retry, or use '--wait' to wait longer"])
}

func stagingPrefix(_ name: String) -> String { ".\(name).staging-" }

/// What tells the staging folders apart that builds of a site have made next to it.
private func stagingIDs(in parent: String, of name: String) -> Set<String> {
    let prefix = stagingPrefix(name)
    var ids: Set<String> = []
    for entry in (try? folderNames(parent)) ?? [] where entry.hasPrefix(prefix) {
        let rest = entry.dropFirst(prefix.count)
        let id = rest.prefix { $0 != "." }
        guard isStagingID(id) else { continue }
        guard ["", ".old", ".lock", ".link", ".previous"].contains(rest.dropFirst(id.count)) else { continue }
        ids.insert(String(id))
    }
    return ids
}

/// Removes what killed builds left, as far as their locks can be taken, but nothing that came to it; a site that one had
/// only moved aside is put back.
///
/// - Returns: where files are that somebody put there.
func removeLeftovers(of place: SitePlace, _ kept: KeptBuild?) -> [Diagnostic] {
    let (output, parent, name) = (place.output, place.parent, place.name)
    var late: [Diagnostic] = []
    for id in stagingIDs(in: parent, of: name).sorted() {
        let staging = "\(parent)/\(stagingPrefix(name))\(id)"
        let begun = FileStamp(at: staging + ".lock")
        guard let lock = try? FileLock.acquire(staging + ".lock"), lock.isCertain else { continue }
        func remove(_ path: String) {
            let left = LeftFolder(path: path, output: output, begun: begun)
            if let found = left.remove(kept) { late.append(found) }
        }
        // A rename takes the place of nothing, or of an empty folder.
        if pathKind(staging + ".old") == .folder { _ = rename(staging + ".old", output) }
        remove(staging)
        // A link that had not taken its place; a folder under its name is the old site, whose place the link took.
        if pathKind(staging + ".link", followsLink: false) == .folder {
            _ = rename(staging + ".link", "\(parent)/\(place.linkedName(randomName()))")
        }
        unlink(staging + ".link")
        unlink(staging + ".previous")
        // Where somebody put another thing into the place, what was moved aside is the only old site.
        if ((try? SiteManifest.read(in: output)) ?? nil) != nil { remove(staging + ".old") }
        withExtendedLifetime(lock) {}
    }
    return late
}

/// Puts back a site that a build had moved aside when it was killed, where two folders cannot be exchanged; any command
/// may call it as it starts. Nothing is done while there is a site, or while the build that moved it lives.
package func restoreSite(at output: String, _ swap: SiteSwap = .folder) {
    let place = SitePlace(output, swap)
    let (output, parent, name) = (place.output, place.parent, place.name)
    guard pathKind(output) == .missing else { return }
    if place.linked != nil { return restoreLink(place) }
    for id in stagingIDs(in: parent, of: name).sorted() {
        let staging = "\(parent)/\(stagingPrefix(name))\(id)"
        guard pathKind(staging + ".old") == .folder else { continue }
        guard let lock = try? FileLock.acquire(staging + ".lock"), lock.isCertain else { continue }
        // A rename takes the place of nothing, or of an empty folder.
        if rename(staging + ".old", output) == 0 { try? syncFolder(parent) }
        withExtendedLifetime(lock) {}
    }
}

/// A site is a folder; anything else under its name is somebody's.
func refuseFile(_ output: String) throws(Diagnostic) {
    let kind = pathKind(output)
    guard kind == .missing || kind == .folder else {
        throw .error(
            "site.foreign-folder", "'\(output)' is not a folder", at: .file(path: output),
            hints: ["use an empty folder for 'output'"])
    }
}
