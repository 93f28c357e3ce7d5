import Diagnostics
import Files
import Platform

/// The folder in whose place a new one is by now. It goes, but nothing of it that came, or was written to, after it was
/// listed: that goes into the new one.
struct ReplacedFolder {
    /// Where it is.
    private let left: String
    /// Where the new one is.
    private let path: String
    /// What was in it when the new one was made.
    private let seen: [PublishedPath: FolderEntry]
    /// The files that the site has there, which no other file replaces.
    private let own: Set<PublishedPath>

    init(_ left: String, by path: String, seen: [FolderEntry], files: [SiteFile]) {
        (self.left, self.path) = (left, path)
        self.seen = Dictionary(
            seen.lazy.map { (PublishedPath($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        own = Set(files.lazy.map(\.path)).union([PublicationManifest.path])
    }

    /// - Returns: what could not go into the new folder, as the site has files of these names, or could not be removed.
    /// - Throws: when something was mounted in it meanwhile; nothing is removed then.
    func remove() throws(Diagnostic) -> Diagnostic? {
        var refusal: FileFailure?
        do throws(FileFailure) {
            let (found, old) = (try folderEntries(left), try OpenFolder(left))
            if let new = try? OpenFolder(path) { refusal = empty(found, old, into: new) }
        } catch {
            if error.isMounted { throw error.diagnostic }
            refusal = error
        }
        return removeOrSetAside(left, nextTo: path, after: refusal).map(warning)
    }

    private func warning(_ rest: FolderRemainder) -> Diagnostic {
        if let refusal = rest.refusal {
            return .warning(
                "publish.not-removed", "The previous folder, which is replaced, could not be removed",
                details: [refusal.diagnostic.summary, "it is in '\(rest.path)'"], at: .file(path: rest.path),
                hints: [
                    "move what was written to it meanwhile where it belongs, then remove it as the user who owns it"
                ])
        }
        return .warning(
            "publish.late-files", "Files were written to the folder while the new site was made next to it",
            details: ["what could not be kept in the new folder is in '\(rest.path)'"],
            at: .file(path: rest.path),
            hints: [
                rest.isMoved
                    ? "move it where it belongs, or remove the folder"
                    : "move it away before the next publication, which removes it"
            ])
    }

    /// - Returns: what the system said first where it did not let something go.
    private func empty(_ found: [FolderEntry], _ old: OpenFolder, into new: OpenFolder) -> FileFailure? {
        var refusal: FileFailure?
        func remove(_ entry: FolderEntry) {
            let refused = old.remove(entry, linked: true)
            if refusal == nil { refusal = refused }
        }
        var moved: PublishedPath?
        for entry in found {
            let name = PublishedPath(entry.path)
            if let moved, name.folders.contains(moved) { continue }
            if entry.kind == .folder {
                if seen[name] == nil, stamp(of: name) == nil, move(entry, new) { moved = name }
            } else if isAsSeen(entry) || new.has(entry) {
                remove(entry)
            } else if !own.contains(name), stamp(of: name).map({ isCarried($0, name) }) != false {
                _ = move(entry, new)
            }
        }
        for entry in found.reversed() where entry.kind == .folder { remove(entry) }
        // What others removed meanwhile has been carried over all the same.
        let there = Set(found.lazy.map { PublishedPath($0.path) })
        for (name, entry) in seen where entry.kind != .folder && !there.contains(name) && !own.contains(name)
        {
            new.remove(entry, linked: true)
        }
        return refusal
    }

    private func isAsSeen(_ entry: FolderEntry) -> Bool {
        seen[PublishedPath(entry.path)]?.stamp.isOfSameBytes(as: entry.stamp) == true
    }

    /// Whether a file of the new folder is the one that was carried over from here, or its copy.
    private func isCarried(_ stamp: FileStamp, _ name: PublishedPath) -> Bool {
        guard let old = seen[name]?.stamp else { return false }
        return stamp.size == old.size && stamp.written == old.written
    }

    /// What has a name in the new folder; nil when nothing has.
    private func stamp(of name: PublishedPath) -> FileStamp? {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0 ? FileStamp(status) : nil
    }

    private func move(_ entry: FolderEntry, _ new: OpenFolder) -> Bool {
        try? new.makeFolders(above: entry.path)
        return rename("\(left)/\(entry.path)", "\(path)/\(entry.path)") == 0
    }
}
