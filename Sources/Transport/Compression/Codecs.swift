import CBrotli
import CZlib
import CZstd

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
            state: state(code), consumed: Int(given - stream.pointee.avail_in),
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

/// Zstandard (RFC 8878) by libzstd: frames may follow each other, most with a checksum.
@safe final class ZstdCodec: Codec {
    private let context: OpaquePointer

    /// Nil when there is no memory for it.
    init?() {
        guard let context = unsafe ZSTD_createDCtx() else { return nil }
        unsafe self.context = context
        // The largest window that HTTP allows is 8 MiB (RFC 9659); a larger one only costs memory.
        guard unsafe ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)) == 0 else {
            return nil
        }
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// libzstd begins the next frame by itself.
    func restart() -> Bool { true }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        var given = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var room = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = unsafe ZSTD_decompressStream(context, &room, &given)
        let state: CodecStep.State = ZSTD_isError(code) != 0 ? .damaged : code == 0 ? .ended : .going
        return unsafe CodecStep(state: state, consumed: given.pos, produced: room.pos)
    }
}

/// Brotli (RFC 7932) by libbrotlidec: one stream, without a checksum, with a window of at most 16 MiB.
@safe final class BrotliCodec: Codec {
    private let decoder: OpaquePointer

    /// Nil when there is no memory for it.
    init?() {
        guard let decoder = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        unsafe self.decoder = decoder
    }

    deinit { unsafe BrotliDecoderDestroyInstance(decoder) }

    /// Nothing may follow a stream.
    func restart() -> Bool { false }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        var nextIn = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var nextOut = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var (left, room) = (input.count, output.count)
        let result = unsafe BrotliDecoderDecompressStream(decoder, &left, &nextIn, &room, &nextOut, nil)
        let state: CodecStep.State =
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: .ended
            case BROTLI_DECODER_RESULT_ERROR: .damaged
            default: .going
            }
        return CodecStep(state: state, consumed: input.count - left, produced: output.count - room)
    }
}
