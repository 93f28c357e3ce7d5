import Files
import Platform

/// A file that waits next to a site until it takes its name there; where the site has a manifest, with the next one.
///
/// Killed at any moment, the site has no file that its manifest does not name. What waits is removed by the next build.
final class AddedFile {
    private let place: SitePlace
    private let folder: String
    private let lock: FileLock
    private let hasManifest: Bool

    private var file: String { folder + "/file" }
    private var manifest: String { folder + "/manifest" }

    /// Writes both to the disk.
    init(_ bytes: [UInt8], nextTo place: SitePlace, manifest record: [UInt8]? = nil) throws(FileFailure) {
        self.place = place
        (folder, lock) = try StagingFolder.name(in: place)
        hasManifest = record != nil
        guard uninterrupted({ mkdir(folder, 0o755) }) == 0 else {
            throw FileFailure("make the folder", folder)
        }
        try replaceFile(file, bytes)
        if let record { try replaceFile(manifest, record) }
    }

    deinit { try? removeFolder(folder) }

    /// Lets the file take its name. The manifest is first: what it names may be missing, and what it does not name is
    /// taken for the owner's.
    func take(_ path: String) throws(FileFailure) {
        let above = splitPath(path).folder
        guard pathKind(above) == .folder else { throw FileFailure("find the folder", above, code: ENOENT) }
        guard pathKind(path, followsLink: false) != .folder else {
            throw FileFailure("write", path, code: EISDIR)
        }
        if hasManifest { try takeManifest(before: path) }
        try move(file, to: path)
        for folder in Set([place.output, above]) { try syncFolder(folder) }
    }

    private func takeManifest(before path: String) throws(FileFailure) {
        let old = folder + "/old"
        // With the name of the new one it would be a changed file.
        let isMoved = rename(path, old) == 0
        do throws(FileFailure) {
            try move(manifest, to: "\(place.output)/\(SiteManifest.name)")
        } catch {
            if isMoved { _ = rename(old, path) }
            throw error
        }
    }

    private func move(_ waiting: String, to path: String) throws(FileFailure) {
        guard rename(waiting, path) == 0 else { throw FileFailure("write", path) }
    }
}
