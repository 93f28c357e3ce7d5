import Cryptography
package import Platform

/// A file that is written piece by piece, so that it never is in memory as a whole.
package final class GrowingFile {
    private var descriptor: Int32
    private let path: String
    private var waiting: [UInt8] = []
    private var running: RunningDigest? = RunningDigest()
    /// How many bytes it was given.
    package private(set) var size = 0

    private static let pieceBytes = 1 << 16

    /// Makes a file that must not exist.
    ///
    /// - Parameter folder: the open folder from which a relative path is counted; nil for the one of the process.
    package init(_ path: String, in folder: OpenFolder? = nil, rights: mode_t = 0o644) throws(FileFailure) {
        self.path = path
        descriptor = try NewFile(path, O_EXCL, in: folder?.descriptor ?? AT_FDCWD, rights: rights).opened()
        waiting.reserveCapacity(Self.pieceBytes)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes.
    package func append(_ bytes: some Collection<UInt8>) throws(FileFailure) {
        waiting.append(contentsOf: bytes)
        size += bytes.count
        if waiting.count >= Self.pieceBytes { try flush() }
    }

    /// Writes what waits and closes the file; nothing is appended after that.
    ///
    /// - Returns: the digest of all bytes.
    package func finish() throws(FileFailure) -> ContentDigest {
        try flush()
        // A network file system may report a full disk only when the file is closed.
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isClosed, let digest = running.take()?.finish() else { throw FileFailure("write", path) }
        return ContentDigest(sha256: digest)
    }

    private func flush() throws(FileFailure) {
        running?.update(waiting)
        let failure = waiting.withUnsafeBufferPointer { writeAll($0, to: descriptor, path) }
        if let failure { throw failure }
        waiting.removeAll(keepingCapacity: true)
    }
}
