import Foundation

/// Requests only what has changed: sends the ETag and Last-Modified of the response kept from an earlier run,
/// and returns that one when the server says that it still holds (304; RFC 9110 §13, RFC 9111 §4.3).
///
/// It never returns one without a request. Below `AuthenticatedClient`, so that it sees what kind of credential is
/// used, and above `RetryingClient`.
package struct ConditionalClient: Sender {
    private let base: any Sender
    private let cache: ResponseCache
    private let scope: String

    /// Lays the cache over another sender. The scope keeps askers apart who use the same kind of credential
    /// for the same address, such as two sources with a token each; it must hold no secret.
    package init(_ base: some Sender, cache: ResponseCache, scope: String = "") {
        self.base = base
        self.cache = cache
        self.scope = scope
    }

    /// The fresh response, or the kept one with `isRevalidated` set.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        guard let key = CacheKey(request, scope: scope) else { return try await base.send(request) }
        if let stored = cache.response(for: key), let asked = conditional(request, on: stored) {
            let response = try await base.send(asked)
            guard response.status == 304 else { return kept(response, of: request, for: key) }
            // The validators belong to the address that was requested, not to one it redirected to.
            if response.address == request.address { return revalidated(stored, by: response, for: key) }
        }
        return kept(try await base.send(request), of: request, for: key)
    }

    private func conditional(_ request: Request, on stored: StoredResponse) -> Request? {
        var request = request
        do throws(HeaderError) {
            if let tag = stored.entityTag { try request.headers.append("If-None-Match", tag) }
            if let date = stored.lastModified { try request.headers.append("If-Modified-Since", date) }
        } catch {
            return nil
        }
        return request
    }

    /// The kept response with the newer headers of the 304.
    private func revalidated(
        _ stored: StoredResponse, by answer: Response, for key: CacheKey
    ) -> Response {
        var response = answer
        let fresh = storable(answer.headers)
        let names = Set(fresh.map { $0.name.lowercased() })
        var stored = stored
        let headers = stored.headers.filter { !names.contains($0.name.lowercased()) } + fresh
        if headers != stored.headers {
            stored.headers = headers
            cache.keep(stored, for: key)
        }
        response.status = 200
        response.headers = Headers(received: headers.map { "\($0.name): \($0.value)" })
        response.body = stored.body
        response.isRevalidated = true
        return response
    }

    private func kept(_ response: Response, of request: Request, for key: CacheKey) -> Response {
        let stored = StoredResponse(key: key.text, headers: storable(response.headers), body: response.body)
        let isStorable =
            response.status == 200 && response.address == request.address
            && (stored.entityTag != nil || stored.lastModified != nil) && !forbidsStoring(response.headers)
            && !holdsSecret(stored, of: request)
        if isStorable { cache.keep(stored, for: key) }
        return response
    }

    private func holdsSecret(_ stored: StoredResponse, of request: Request) -> Bool {
        let redaction = request.redaction
        let lines = stored.headers.map(\.value).joined(separator: "\n")
        return redaction.finds(in: stored.body) || redaction.finds(in: Array(lines.utf8))
    }
}

/// What may be kept: no cookie or credential, and nothing that is about this one message.
private func storable(_ headers: Headers) -> [StoredResponse.Header] {
    let passing = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "trailer",
        "upgrade", "proxy-authenticate", "proxy-connection",
    ]
    // A limit reported with an earlier response says nothing of now.
    let momentary = ["retry-after", "ratelimit", "rate-limit"]
    return headers.pairs.compactMap { name, value in
        let lower = name.lowercased()
        guard !passing.contains(lower), !isSecretName(name), !momentary.contains(where: lower.contains) else {
            return nil
        }
        return StoredResponse.Header(name: name, value: value)
    }
}

private func forbidsStoring(_ headers: Headers) -> Bool {
    let control = headers.values(for: "Cache-Control").joined(separator: ",").lowercased()
    let vary = headers.values(for: "Vary").joined(separator: ",")
    return control.contains("no-store") || vary.contains("*")
}

/// A response with what is needed to find out whether it still holds.
struct StoredResponse: Equatable {
    struct Header: Codable, Equatable {
        var name: String
        var value: String
    }

    /// What was requested, free of secrets; see `CacheKey`.
    var key: String
    var headers: [Header]
    var body: [UInt8]

    var entityTag: String? { first("ETag") }
    var lastModified: String? { first("Last-Modified") }

    private func first(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

// MARK: Bytes on disk

extension StoredResponse {
    /// The first line of every file; the number rises when the form changes.
    private static let mark = Array("plimsoll-response 1\n".utf8)

    private struct Head: Codable {
        var key: String
        var headers: [Header]
        var bodyBytes: Int
        var checksum: UInt64
    }

    /// A line that names the form, a line of JSON, the body.
    func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let head = Head(key: key, headers: headers, bodyBytes: body.count, checksum: checksum)
        return Self.mark + (try encoder.encode(head)) + [UInt8(ascii: "\n")] + body
    }

    /// Nil when the bytes are of another form or damaged in any place.
    init?(bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark) else { return nil }
        let rest = bytes[Self.mark.count...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: Data(rest[..<end])),
            rest.endIndex - end - 1 == head.bodyBytes
        else { return nil }
        self.init(key: head.key, headers: head.headers, body: Array(rest[(end + 1)...]))
        guard checksum == head.checksum else { return nil }
    }

    private var checksum: UInt64 {
        let heads = headers.flatMap { [$0.name, $0.value] }
        var sum = ([key] + heads).reduce(fowlerNollVo([])) { fowlerNollVo(Array($1.utf8) + [0], from: $0) }
        sum = fowlerNollVo(body, from: sum)
        return sum
    }
}

/// The 64-bit FNV-1a sum (draft-eastlake-fnv): it finds accidents, and is no proof against a forger.
func fowlerNollVo(_ bytes: [UInt8], from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// What distinguishes one stored response from another: the method, the address, the kind of credential and the
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
