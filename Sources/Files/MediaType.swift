/// How a file is served, by its name: the media type, with the character set of texts.
///
/// - Returns: nil for other kinds of files than those that a site has.
package func mediaType(of path: String) -> String? {
    let name = splitPath(path).name
    switch name {
    case _ where path.hasSuffix("feed.xml"): return "application/atom+xml; charset=utf-8"
    case _ where path.hasSuffix("feed.json"): return "application/feed+json; charset=utf-8"
    default:
        let ending = name.split(separator: ".").dropFirst().last ?? ""
        return mediaTypes[ending.lowercased()]
    }
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
    "wasm": "application/wasm", "mp4": "video/mp4",
]
