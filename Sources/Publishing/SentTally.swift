import Synchronization

/// Counts the files that have arrived, from any thread.
final class SentTally: Sendable {
    private let counted = Mutex((files: 0, bytes: 0))

    /// Files and bytes so far.
    var sums: (files: Int, bytes: Int) { counted.withLock { $0 } }

    /// Counts one more; returns how many there are.
    func add(_ upload: PublicationPlan.Upload) -> Int {
        counted.withLock { counted in
            counted.files += 1
            counted.bytes += upload.file.size
            return counted.files
        }
    }
}
