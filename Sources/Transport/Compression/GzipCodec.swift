import CZlib

/// gzip (RFC 1952) by zlib: members may follow each other, each with its checksum and length.
@safe final class GzipCodec: Codec {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil when there is no memory for it.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe czlib_start_gunzip(stream) == Z_OK else { return nil }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func restart() -> Bool { unsafe inflateReset(stream) == Z_OK }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        guard let given = UInt32(exactly: input.count), let room = UInt32(exactly: output.count) else {
            return CodecStep(state: .damaged)
        }
        // zlib never writes through next_in; the C declaration only lacks the const.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = given
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = room
        let code = unsafe inflate(stream, Z_NO_FLUSH)
        return unsafe CodecStep(
            state: state(code), taken: Int(given - stream.pointee.avail_in),
            produced: Int(room - stream.pointee.avail_out))
    }

    // Z_BUF_ERROR says only that there was nothing to do.
    private func state(_ code: Int32) -> CodecStep.State {
        switch code {
        case Z_STREAM_END: .ended
        case Z_OK, Z_BUF_ERROR: .going
        default: .damaged
        }
    }
}
