/// The media type of a file by its ending.
func contentType(of path: String) -> String {
    let ending = path.split(separator: "/").last?.split(separator: ".").last.map(String.init) ?? ""
    return switch ending {
    case "html": "text/html; charset=utf-8"
    case "md": "text/markdown; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "csv": "text/csv; charset=utf-8"
    case "txt": "text/plain; charset=utf-8"
    case "json": "application/json"
    case "xml": "application/xml"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    default: "application/octet-stream"
    }
}

/// What a page may load: the same as its own `meta` says. A drawing opened by itself has its colors inside.
func contentPolicy(of type: String) -> String {
    type == "image/svg+xml"
        ? "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        : "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
}
