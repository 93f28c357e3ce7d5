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
        let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
        let type: String
        if path.hasSuffix("feed.xml") {
            type = "application/atom+xml; charset=utf-8"
        } else if path.hasSuffix("feed.json") {
            type = "application/feed+json; charset=utf-8"
        } else {
            type = mediaTypes[ending.lowercased()] ?? "application/octet-stream"
        }
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

private let mediaTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8",
    "xml": "application/xml; charset=utf-8", "json": "application/json; charset=utf-8",
    "webmanifest": "application/manifest+json; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon", "woff2": "font/woff2",
    "woff": "font/woff", "ttf": "font/ttf", "otf": "font/otf", "pdf": "application/pdf",
    "wasm": "application/wasm",
    "mp4": "video/mp4",
]
