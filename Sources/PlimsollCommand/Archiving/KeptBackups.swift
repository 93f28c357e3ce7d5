import AppHealth
import Archive
import Diagnostics
import Files

/// The backups of an archive that fetches keep: a folder next to it, each file named after the fetch that made it.
struct KeptBackups {
    let folder: String
    /// How many stay.
    let most: Int

    private static let ending = ".sqlite"

    /// Adds a backup of the archive and removes the oldest ones beyond those that stay.
    func add(of archive: Archive, at now: Instant) throws(Diagnostic) {
        guard most > 0 else { return }
        do throws(FileFailure) {
            try makePrivateFolder(folder)
        } catch {
            throw error.diagnostic
        }
        do throws(ArchiveError) {
            try archive.backUp(to: "\(folder)/\("\(now)".replacing(":", with: "-"))\(Self.ending)")
        } catch {
            throw error.diagnostic
        }
        do throws(FileFailure) {
            for name in try names().dropLast(most) { try removeFolder("\(folder)/\(name)") }
        } catch {
            throw error.diagnostic
        }
    }

    /// The newest backup; nil when there is none.
    var newest: String? { (try? names())?.last.map { "\(folder)/\($0)" } }

    /// Oldest first: names are instants.
    private func names() throws(FileFailure) -> [String] {
        try folderNames(folder).filter { name in
            name.hasSuffix(Self.ending)
                && Instant(name.dropLast(Self.ending.count).description.restoredColons) != nil
        }
    }
}

extension String {
    /// An instant in the name of a file with its colons again.
    fileprivate var restoredColons: String {
        guard let t = firstIndex(of: "T") else { return self }
        return String(self[..<t]) + self[t...].replacing("-", with: ":")
    }
}
