import AppHealth

/// The folders of snapshot files that one run has read, so that a folder with the files of many apps is listed and read
/// once.
///
/// The bytes of a file are held until the app it is about has taken them, and at most 8 MiB of them; what is
/// beyond that is read again by its own app.
package actor SnapshotFileCache {
    private typealias Reading = Task<Result<SnapshotFolderIndex, FilesError>, Never>

    /// What the archive held before the run.
    nonisolated let stored: StoredFiles

    private static let mostBytes = 8 << 20
    private var folders: [SnapshotFolderReader.Key: Reading] = [:]
    private var held: [SnapshotFolderReader.Key: [Int: [UInt8]]] = [:]
    private var heldBytes = 0

    /// Nothing is read yet.
    ///
    /// - Parameter stored: files that need not be decoded again.
    package init(stored: StoredFiles = StoredFiles()) { self.stored = stored }

    /// Whose the files of a folder are; whoever asks first reads it for all.
    func index(of reader: SnapshotFolderReader) async -> Result<SnapshotFolderIndex, FilesError> {
        let key = reader.key
        let task =
            folders[key]
            ?? Task {
                await reader.index(knowing: stored) { await self.hold($1, at: $0, of: key) }
            }
        folders[key] = task
        // One who is called off is so with all others.
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// The bytes of a file, if they are held; they are let go where no other app needs them.
    func bytes(of file: Int, in key: SnapshotFolderReader.Key, isLast: Bool) -> [UInt8]? {
        guard let bytes = held[key]?[file] else { return nil }
        if isLast {
            held[key]?[file] = nil
            heldBytes -= bytes.count
        }
        return bytes
    }

    private func hold(_ bytes: [UInt8], at file: Int, of key: SnapshotFolderReader.Key) {
        guard bytes.count <= Self.mostBytes - heldBytes else { return }
        heldBytes += bytes.count
        held[key, default: [:]][file] = bytes
    }
}
