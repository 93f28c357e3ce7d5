import Platform

/// A file that is sent piece by piece.
final class FileReader {
    private let descriptor: Int32

    /// Nil when the file cannot be opened.
    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Reads as much as there is and fits; 0 at the end, nil after a failure.
    func read(into space: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count = unsafe Platform.read(descriptor, space.baseAddress, space.count)
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }
}
