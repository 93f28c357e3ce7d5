/// What tells one stored response from another: the method, the address, the kind of credential and the
/// other headers. No secret is in it, so that none is on disk.
struct CacheKey: Hashable {
    /// The key in words, stored with the response and compared whole.
    let text: String

    /// The name of the file; two keys with the same name only push each other out.
    var fileName: String {
        let sum = String(fowlerNollVo(Array(text.utf8)), radix: 16)
        return String(repeating: "0", count: 16 - sum.count) + sum + Self.suffix
    }

    static let suffix = ".response"

    /// For bytes that are kept under a name of the caller's own; no request has such a key.
    init(name: String, scope: String) {
        text = "KEPT \(name)\n\(scope)"
    }

    /// Nil when the request must not be stored: only GET over HTTP is, and only when it makes no conditions
    /// itself.
    init?(_ request: Request, scope: String) {
        let own = [
            "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
        ]
        guard request.method == .get, request.address.origin.scheme != .file,
            !request.headers.pairs.contains(where: { own.contains($0.name.lowercased()) })
        else { return nil }
        let headers = request.headers.fields.map { field in
            switch field.value {
            case .plain(let value): "\(field.name.lowercased()): \(value)"
            case .secret(let prefix, _): "\(field.name.lowercased()): \(prefix)*"
            }
        }
        let address = request.redaction.masked(request.address.text)
        text = (["\(request.method.rawValue) \(address)", scope] + headers.sorted()).joined(separator: "\n")
    }
}
