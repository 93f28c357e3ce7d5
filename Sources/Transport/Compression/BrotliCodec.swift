import CBrotli

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
        return CodecStep(state: state, taken: input.count - left, produced: output.count - room)
    }
}
