extension Response {
    /// The body undone from gzip: for files that are gzip themselves and come without a Content-Encoding.
    ///
    /// - Parameter most: The most bytes after decompression.
    /// - Throws: `.encoding` when the body is no gzip, `.truncated` when it ends before its end, `.tooLarge`.
    package func gunzippedBody(most: Int) throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        var isTooLarge = false
        guard let decompressor = Decompressor(.gzip) else { throw refused(.tooLarge, "no memory for zlib") }
        // One call takes at most what zlib counts in 32 bits.
        for start in stride(from: 0, to: body.count, by: 1 << 20) {
            let piece = body[start..<min(body.count, start + 1 << 20)]
            let outcome = unsafe piece.withUnsafeBytes { piece in
                unsafe decompressor.take(piece) { output in
                    isTooLarge = output.count > most - bytes.count
                    if !isTooLarge { unsafe bytes.append(contentsOf: output) }
                    return !isTooLarge
                }
            }
            switch outcome {
            case .taken: continue
            case .refused: throw refused(.tooLarge, "more than \(most) bytes")
            case .damaged: throw refused(.encoding, "the body is not the gzip stream that it should be")
            }
        }
        guard decompressor.isWhole || body.isEmpty else {
            throw refused(.truncated, "the gzip stream ends before its end")
        }
        return bytes
    }

    private func refused(_ kind: TransportError.Kind, _ text: String) -> TransportError {
        TransportError(kind, address, doing: "decompressing the body", text, redaction: redaction)
    }
}
