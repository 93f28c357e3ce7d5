import Files
import Foundation
import Site
import Synchronization

/// A site as the preview shows it: its files, or why there are no newer ones.
final class PreviewSite: Sendable {
    private let folder: String
    /// Where on its host the site lies once it is published; its page of addresses that do not exist links from there.
    private let root: String
    private let trouble = Mutex<String?>(nil)

    /// The site in a folder, which may not be there yet.
    init(folder: String, root: String = "/") { (self.folder, self.root) = (folder, root) }

    /// Sets what is wrong with the newest build; nil when nothing is.
    func setTrouble(_ text: String?) { trouble.withLock { $0 = text } }

    /// Handles one request.
    func answer(_ request: PreviewRequest) -> PreviewResponse {
        var response = response(to: request)
        response.hasBody = request.method != "HEAD"
        return response
    }

    private func response(to request: PreviewRequest) -> PreviewResponse {
        guard isOwnName(request.host) else {
            return plain(403, "This preview is for 127.0.0.1 and localhost only.\n")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return plain(405, "This preview allows GET and HEAD only.\n", ("Allow", "GET, HEAD"))
        }
        switch file(at: request.path) {
        case .folder(let address): return plain(301, "The page is at \(address)\n", ("Location", address))
        case .file(let path): return page(path, 200)
        case .nothing: return page(folder + "/404.html", 404)
        }
    }

    /// What is at an address, below the root too, or else at that from the top of the host.
    private func file(at path: String) -> RequestedFile {
        let found = RequestedFile(path, in: folder)
        guard found == .nothing, root != "/", path.hasPrefix(root) else { return found }
        switch RequestedFile("/" + path.dropFirst(root.count), in: folder) {
        case .folder(let address): return .folder(root + address.dropFirst())
        case .file(let file): return .file(file)
        case .nothing: return .nothing
        }
    }

    /// A file; in the place of every HTML page the trouble with the newest build, when there is any.
    private func page(_ path: String, _ status: Int) -> PreviewResponse {
        if path.hasSuffix(".html"), let trouble = trouble.withLock({ $0 }) { return plain(500, trouble) }
        do throws(FileFailure) {
            let (type, bytes) = (contentType(of: path), try readFile(path))
            let policy = contentPolicy(
                of: type, isSingleFile: type.hasPrefix("text/html") && isSingleFile(bytes))
            return response(status, type, bytes, policy: policy)
        } catch {
            if !error.isMissing { return plain(500, "The file cannot be read: \(error.systemReason)\n") }
            return pathKind(folder) == .missing
                ? plain(503, "The site is being built; reload in a moment.\n")
                : plain(404, "Page not found.\n")
        }
    }

    /// A text of the preview itself.
    func plain(_ status: Int, _ text: String, _ header: (name: String, value: String)? = nil)
        -> PreviewResponse
    {
        response(status, "text/plain; charset=utf-8", Array(text.utf8), header)
    }

    private func response(
        _ status: Int, _ type: String, _ body: [UInt8], _ header: (name: String, value: String)? = nil,
        policy: String? = nil
    ) -> PreviewResponse {
        let headers = [
            ("Content-Type", type), ("Cache-Control", "no-store"),
            ("Content-Security-Policy", policy ?? contentPolicy(of: type)),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
        return PreviewResponse(status: status, headers: headers + (header.map { [$0] } ?? []), body: body)
    }
}

/// Whether a request is for this machine by a name that no other site can take: a page elsewhere may let its own
/// name lead to 127.0.0.1 and would else read the preview.
func isOwnName(_ host: String?) -> Bool {
    guard let host else { return true }
    let name = host.split(separator: ":", maxSplits: 1).first ?? ""
    return name == "127.0.0.1" || name.lowercased() == "localhost"
}

/// The media type that a file has where it is published.
func contentType(of path: String) -> String { mediaType(of: path) ?? "application/octet-stream" }

/// What a page may load: the same as its own `meta` says. A drawing opened by itself has its colors inside, and a
/// single file its style sheet, which its `meta` admits by a hash.
func contentPolicy(of type: String, isSingleFile: Bool = false) -> String {
    if type == "image/svg+xml" {
        return "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    }
    let styles = isSingleFile ? "'unsafe-inline'" : "'self'"
    return
        "default-src 'none'; style-src \(styles); img-src 'self' data:; font-src 'self' data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
}
