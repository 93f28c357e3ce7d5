import CZstd

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
        return unsafe CodecStep(state: state, taken: given.pos, produced: room.pos)
    }
}
