import Diagnostics
import Files
import Platform

/// The folder of a build that did not end: a new site, as far as it was written, which may be made in the folder of an
/// older one; or the old site, which the new one had replaced already.
struct LeftFolder {
    let path: String
    /// Where the site is that visitors see.
    let output: String
    /// The file of its build's lock, which is older than all that the build wrote; nil when there is none: then the build
    /// came to its end, and has put aside what was not its own.
    let begun: FileStamp?

    /// Removes it, but no file that somebody put there.
    ///
    /// - Parameter kept: what the builds before left.
    /// - Returns: where such files are.
    func remove(_ kept: KeptBuild?) -> Diagnostic? {
        guard let begun, pathKind(path, followsLink: false) == .folder else {
            try? removeFolder(path)
            return nil
        }
        do throws(FileFailure) {
            let (entries, folder) = (try folderEntries(path), try OpenFolder(path))
            let builds = BuildFiles(self, begun, entries, kept)
            var refusal: FileFailure?
            for entry in manifestLast(entries.reversed()) where entry.kind == .folder || builds.have(entry) {
                let refused = folder.remove(entry, linked: true)
                if refusal == nil { refusal = refused }
            }
            return setAside(path, of: output, refusal, isLeft: true)
        } catch {
            return setAside(path, of: output, error, isLeft: true)
        }
    }
}

/// The files that builds put into such a folder.
private struct BuildFiles {
    private let output: String
    /// From when on all that was written, or got a name, is of the build; nil in an older site.
    private let begun: Int64?
    /// What the files of the sites before were like.
    private let known: [[String: FileStamp]]
    /// A look at a folder that still is an older site.
    private let older: SiteInspection?

    init(_ left: LeftFolder, _ begun: FileStamp, _ entries: [FolderEntry], _ kept: KeptBuild?) {
        output = left.output
        known = [kept?.listing, kept?.spareListing].compactMap { $0?.stamps }
        let manifest = entries.first { $0.path == SiteManifest.name }
        let isOlder = manifest.map { $0.stamp.written < begun.written } ?? false
        self.begun = isOlder ? nil : begun.written
        older = isOlder ? try? SiteInspection(left.path, OutputPolicy(), known: known.first ?? [:]) : nil
    }

    func have(_ entry: FolderEntry) -> Bool {
        if let begun, entry.stamp.changed >= begun { return true }
        if known.contains(where: { $0[entry.path]?.isOfSameBytes(as: entry.stamp) == true }) { return true }
        if case .build? = older?.owner(of: entry.path) { return true }
        // The site that visitors see has the very same file.
        return FileStamp(at: "\(output)/\(entry.path)")?.isOfSameBytes(as: entry.stamp) == true
    }
}
