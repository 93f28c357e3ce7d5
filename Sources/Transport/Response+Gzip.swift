extension Response {
    /// The body undone from gzip: for files that are gzip themselves and come without a Content-Encoding.
    ///
    /// - Parameter most: The most bytes after decompression.
    /// - Throws: `.encoding` when the body is no gzip, `.truncated` when it ends before its end, `.tooLarge`.
    package func gunzippedBody(most: Int) throws(TransportError) -> [UInt8] {
        var receiver = BodyReceiver(limit: most)
        // One call takes at most what zlib counts in 32 bits.
        for start in stride(from: 0, to: body.count, by: 1 << 20) {
            let piece = body[start..<min(body.count, start + 1 << 20)]
            guard unsafe piece.withUnsafeBytes({ unsafe receiver.take($0, coding: "gzip") }) else { break }
        }
        guard let fault = receiver.refusal ?? receiver.shortage else { return receiver.bytes }
        throw TransportError(
            fault.kind, address, doing: "decompressing the body", fault.text, redaction: redaction)
    }
}
