import CZlib

/// Owner of one zlib stream that undoes gzip (RFC 1952), piece by piece.
///
/// libcurl could decompress too, but it takes a stream that was cut short inside a complete Content-Length
/// for a whole one; this one knows whether the end, with its checksum and length, was seen.
@safe final class Gunzip {
    /// How it went with a piece.
    enum Outcome {
        /// The piece was taken.
        case taken
        /// The receiver wants no more.
        case refused
        /// The bytes are not gzip, or their checksum is wrong.
        case damaged
    }

    private static let pieceSize = 65_536
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutablePointer<UInt8>
    private var isBetweenMembers = true

    /// Nil when there is no memory for it.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe piece = .allocate(capacity: Self.pieceSize)
        unsafe piece.initialize(repeating: 0, count: Self.pieceSize)
        guard unsafe czlib_start_gunzip(stream) == Z_OK else { return nil }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe piece.deallocate()
    }

    /// Whether every member that began has ended; true before the first byte.
    var isWhole: Bool { isBetweenMembers }

    /// Takes compressed bytes and hands on what comes out, at most 64 KiB at a time.
    func take(_ bytes: UnsafeRawBufferPointer, give: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        guard let count = UInt32(exactly: bytes.count) else { return .damaged }
        // zlib never writes through next_in; the C declaration only lacks the const.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = count
        var isFull = false
        while unsafe stream.pointee.avail_in > 0 || isFull {
            if isBetweenMembers {
                guard unsafe inflateReset(stream) == Z_OK else { return .damaged }
                isBetweenMembers = false
            }
            let (code, produced) = step()
            if produced > 0, unsafe !give(UnsafeRawBufferPointer(start: piece, count: produced)) {
                return .refused
            }
            isFull = produced == Self.pieceSize && code != Z_STREAM_END
            if code == Z_STREAM_END { isBetweenMembers = true }
            // Z_BUF_ERROR says only that there was nothing to do.
            guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return .damaged }
        }
        return .taken
    }

    private func step() -> (code: Int32, produced: Int) {
        unsafe stream.pointee.next_out = piece
        unsafe stream.pointee.avail_out = UInt32(Self.pieceSize)
        let code = unsafe inflate(stream, Z_NO_FLUSH)
        return unsafe (code, Self.pieceSize - Int(stream.pointee.avail_out))
    }
}
