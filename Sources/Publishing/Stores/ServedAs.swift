import Files

/// How a file of a site is served by a place that keeps headers with its files.
struct ServedAs: Hashable, Sendable {
    /// The media type, with the character set of texts.
    var contentType: String
    /// How long it may be kept.
    var cacheControl: String
    /// Whether its bytes are compressed.
    var isGzip: Bool

    /// - Parameters:
    ///   - pageSeconds: how long a file may be kept whose name does not change with its bytes.
    ///   - compresses: whether texts are kept compressed.
    init(_ path: String, size: Int, pageSeconds: Int, compresses: Bool) {
        let type = mediaType(of: path) ?? "application/octet-stream"
        contentType = type
        cacheControl =
            isFingerprinted(path) ? "public, max-age=31536000, immutable" : "public, max-age=\(pageSeconds)"
        // A smaller file fits into one packet anyway.
        isGzip = compresses && size >= 1024 && isCompressible(type)
    }

    /// What a manifest keeps to notice that a file is to be served otherwise.
    var summary: String { "\(contentType) | \(cacheControl)\(isGzip ? " | gzip" : "")" }
}

private func isCompressible(_ type: String) -> Bool {
    type.contains("charset") || type == "image/svg+xml" || type == "application/wasm"
}
