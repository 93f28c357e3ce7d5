import Files
import FlyingFox
import Foundation
import Site
import Synchronization

/// A site as the preview shows it: its files, or why there are no newer ones.
final class PreviewSite: Sendable {
    private let folder: String
    private let trouble = Mutex<String?>(nil)

    /// The site in a folder, which may not be there yet.
    init(folder: String) { self.folder = folder }

    /// Sets what is wrong with the newest build; nil when nothing is.
    func setTrouble(_ text: String?) { trouble.withLock { $0 = text } }

    /// Handles one request.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard isOwnName(request.headers[.host]) else {
            return text(.forbidden, "This preview is for 127.0.0.1 and localhost only.\n", request)
        }
        guard request.method == .GET || request.method == .HEAD else {
            var answer = text(.methodNotAllowed, "This preview allows GET and HEAD only.\n", request)
            answer.headers[HTTPHeader("Allow")] = "GET, HEAD"
            return answer
        }
        switch RequestedFile(request.target.path(), in: folder) {
        case .folder(let address):
            var answer = text(.movedPermanently, "The page is at \(address)\n", request)
            answer.headers[.location] = address
            return answer
        case .file(let path): return page(path, .ok, request)
        case .nothing: return page(folder + "/404.html", .notFound, request)
        }
    }

    /// A file; in the place of every HTML page the trouble with the newest build, when there is any.
    private func page(_ path: String, _ status: HTTPStatusCode, _ request: HTTPRequest) -> HTTPResponse {
        if path.hasSuffix(".html"), let trouble = trouble.withLock({ $0 }) {
            return text(.internalServerError, trouble, request)
        }
        guard let bytes = try? readFile(path) else {
            return pathKind(folder) == .missing
                ? text(.serviceUnavailable, "The site is being built; reload in a moment.\n", request)
                : text(.notFound, "Page not found.\n", request)
        }
        return response(status, contentType(of: path), Data(bytes), request)
    }

    private func text(_ status: HTTPStatusCode, _ text: String, _ request: HTTPRequest) -> HTTPResponse {
        response(status, "text/plain; charset=utf-8", Data(text.utf8), request)
    }

    private func response(
        _ status: HTTPStatusCode, _ type: String, _ body: Data, _ request: HTTPRequest
    ) -> HTTPResponse {
        let headers: HTTPHeaders = [
            .contentType: type, .contentLength: String(body.count), .cacheControl: "no-store",
            HTTPHeader("Content-Security-Policy"): contentPolicy(of: type),
            HTTPHeader("X-Content-Type-Options"): "nosniff", HTTPHeader("Referrer-Policy"): "no-referrer",
        ]
        return HTTPResponse(
            statusCode: status, headers: headers, body: request.method == .HEAD ? Data() : body)
    }
}

/// Whether a request is for this machine by a name that no other site can take: a page elsewhere may let its own
/// name lead to 127.0.0.1 and would else read the preview.
func isOwnName(_ host: String?) -> Bool {
    guard let host else { return true }
    let name = host.split(separator: ":", maxSplits: 1).first ?? ""
    return name == "127.0.0.1" || name.lowercased() == "localhost"
}

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
