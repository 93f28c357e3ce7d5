import Diagnostics
import Files
import Platform

/// The folder that a new site is written to, next to the one that visitors see. It has a random name and a lock of its
/// own. It has no manifest before its site is whole: that of an older site says nothing of this one.
struct StagingFolder: Sendable {
    let path: String
    /// The folder itself: writing through it fails when it is gone, whatever has its name.
    let folder: OpenFolder
    /// Whether every file of the site that visitors see is in it already.
    let isCurrent: Bool
    private let lock: FileLock

    /// Makes it.
    ///
    /// - Parameter fromSpare: whether the folder of the site before may be used, brought to the present one.
    /// - Returns: also what is worth reporting.
    static func make(
        for held: HeldSite, fromSpare: Bool
    ) throws(FileFailure) -> (folder: StagingFolder, late: Diagnostic?) {
        var late: Diagnostic?
        if fromSpare, case .known(let present) = held.look, let spare = held.kept?.spare {
            let (path, lock) = try name(in: held.place)
            if rename(spare.path, path) == 0, let folder = try? OpenFolder(path) {
                do throws(FileFailure) {
                    if try spare.catchUp(folder, with: present, at: held.place.output) {
                        folder.removeWithFolders(SiteManifest.name)
                        return (StagingFolder(path: path, folder: folder, isCurrent: true, lock: lock), nil)
                    }
                    late = spare.remove(at: path, held.policy, of: held.place.output)
                } catch {
                    let left = LeftFolder(path: path, output: held.place.output, begun: lock.file.stamp)
                    late = left.remove(held.kept)
                }
            }
        }
        let (path, lock) = try name(in: held.place)
        guard uninterrupted({ mkdir(path, 0o755) }) == 0 else { throw FileFailure("make the folder", path) }
        return (
            StagingFolder(path: path, folder: try OpenFolder(path), isCurrent: false, lock: lock), late
        )
    }

    /// Removes it, but no file that somebody put there before the build began.
    ///
    /// - Parameters:
    ///   - output: where the site is.
    ///   - kept: what the builds before left.
    /// - Returns: where such files are.
    func remove(of output: String, _ kept: KeptBuild?) -> Diagnostic? {
        // In one that it made itself everything came after it began, whatever the clock did.
        LeftFolder(path: path, output: output, begun: isCurrent ? lock.file.stamp : nil).remove(kept)
    }

    /// A name that cannot be foreseen, with its lock.
    static func name(in place: SitePlace) throws(FileFailure) -> (path: String, lock: FileLock) {
        let path = "\(place.parent)/\(stagingPrefix(place.name))\(randomName())"
        guard let lock = try FileLock.acquire(path + ".lock") else {
            throw FileFailure("lock", path, code: EBUSY)
        }
        return (path, lock)
    }

    private init(path: String, folder: OpenFolder, isCurrent: Bool, lock: FileLock) {
        (self.path, self.folder, self.isCurrent, self.lock) = (path, folder, isCurrent, lock)
    }
}
