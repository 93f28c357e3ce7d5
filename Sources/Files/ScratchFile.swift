import Platform

/// Bytes that take no memory while they are not needed: they are in a file without a name, which the system removes
/// with the process.
package final class ScratchFile {
    private let descriptor: Int32
    private let folder: String
    private var end = 0

    /// Makes the file in a folder, for its owner alone.
    package init(in folder: String) throws(FileFailure) {
        let path = "\(folder)/.\(randomName()).tmp"
        descriptor = uninterrupted {
            open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        self.folder = folder
        guard descriptor >= 0 else { throw FileFailure("write", path) }
        guard unlink(path) == 0 else {
            let failure = FileFailure("remove", path)
            close(descriptor)
            throw failure
        }
    }

    deinit { close(descriptor) }

    /// Puts bytes down; returns where they are.
    package func put(_ bytes: [UInt8]) throws(FileFailure) -> Range<Int> {
        let begin = end
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(begin + offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("write", folder) }
            offset += count
        }
        end = begin + bytes.count
        return begin..<end
    }

    /// The bytes at a place.
    package func bytes(at place: Range<Int>) throws(FileFailure) -> [UInt8] {
        try readBytes(at: place, of: descriptor, named: folder)
    }
}
