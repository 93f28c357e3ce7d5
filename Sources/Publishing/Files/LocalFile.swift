import Diagnostics
import Files
import Platform

// Files of this machine for targets, whose failures are all diagnostics.

/// The bytes of a regular file.
func readLocalFile(_ path: String, limit: Int) throws(Diagnostic) -> [UInt8] {
    do { return try readFile(path, limit: limit) } catch { throw error.diagnostic }
}

/// Makes a file that must not exist.
func createLocalFile(_ path: String, _ bytes: [UInt8], rights: mode_t = 0o644) throws(Diagnostic) {
    do throws(FileFailure) {
        try createFile(NewFile(path, O_EXCL, rights: rights), bytes) { _ in true }
    } catch {
        if error.code != EEXIST { unlink(path) }
        throw error.diagnostic
    }
}

/// Replaces a file so that a reader finds the old one or the new one, whole.
func replaceLocalFile(_ path: String, _ bytes: [UInt8]) throws(Diagnostic) {
    do { try replaceFile(path, bytes, isDurable: false) } catch { throw error.diagnostic }
}

/// Makes a folder and those above it; one that exists is fine.
func makeLocalFolder(_ path: String) throws(Diagnostic) {
    do { try makeFolder(path) } catch { throw error.diagnostic }
}

/// Makes a folder that everybody may enter, with those above it; one that exists stays as it is.
func makePublishedFolder(_ path: String) throws(Diagnostic) {
    do { try makeFolder(path, made: openToAll) } catch { throw error.diagnostic }
}

/// The names in a folder, in byte order.
func localNames(_ path: String) throws(Diagnostic) -> [String] {
    do { return try folderNames(path) } catch { throw error.diagnostic }
}

/// The paths of everything below a folder that is no folder, in order; links are not followed.
func localFilesBelow(_ root: String) throws(Diagnostic) -> [String] {
    do throws(FileFailure) {
        return try folderEntries(root, entersMounts: true).filter { $0.kind != .folder }.map(\.path)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
        throw error.diagnostic
    }
}

/// Removes a folder with all that is in it, as far as that is possible; links are removed, not followed.
func removeTree(_ path: String) { try? removeFolder(path) }

/// The same.
///
/// - Throws: when something is mounted in the folder; nothing is removed then.
func removeUnlessMounted(_ path: String) throws(Diagnostic) {
    do throws(FileFailure) {
        try removeFolder(path)
    } catch {
        if error.isMounted { throw error.diagnostic }
    }
}

/// What is under a name; links are not followed.
func fileKind(_ path: String) -> PathKind { pathKind(path, followsLink: false) }

/// What the system refused.
func fileProblem(_ action: String, _ path: String, code: Int32 = errno) -> Diagnostic {
    FileFailure(action, path, code: code).diagnostic
}

/// Acquires the right to publish to a folder.
///
/// - Throws: when another publication has it.
func lockForPublication(_ path: String) throws(Diagnostic) -> FileLock {
    do throws(FileFailure) {
        if let lock = try FileLock.acquire(path) { return lock }
    } catch {
        throw error.diagnostic
    }
    throw publicationUnderWay(path)
}

func publicationUnderWay(_ path: String) -> Diagnostic {
    .error(
        "publish.held", "Another publication to this folder is under way", at: .file(path: path),
        hints: ["wait for its end, then publish again"])
}
