import Platform

/// A file that is held open and read in parts: what takes its name later is another file.
package final class StoredFile: Sendable {
    /// How many bytes it had when it was opened.
    package let size: Int
    private let descriptor: Int32
    private let path: String

    package init(_ path: String) throws(FileFailure) {
        descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC) }
        self.path = path
        guard descriptor >= 0 else {
            size = 0
            throw FileFailure("read", path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            size = 0
            throw FileFailure("read", path)
        }
        size = Int(status.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The bytes at a place.
    ///
    /// - Throws: also when the file has none there.
    package func bytes(at place: Range<Int>) throws(FileFailure) -> [UInt8] {
        guard place.lowerBound >= 0, place.upperBound <= size else {
            throw FileFailure("read", path, code: EIO)
        }
        return try readBytes(at: place, of: descriptor, named: path)
    }
}

/// The bytes at a place of an open file.
func readBytes(
    at place: Range<Int>, of descriptor: Int32, named path: String
) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: place.count)
    var offset = 0
    while offset < bytes.count {
        let count = bytes.withUnsafeMutableBytes { all in
            let rest = UnsafeMutableRawBufferPointer(rebasing: all[offset...])
            return pread(descriptor, rest.baseAddress, rest.count, off_t(place.lowerBound + offset))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw FileFailure("read", path, code: count == 0 ? EIO : errno) }
        offset += count
    }
    return bytes
}
