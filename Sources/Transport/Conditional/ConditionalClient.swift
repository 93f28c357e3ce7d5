/// Asks only for what has changed: sends the ETag and Last-Modified of the response kept from an earlier run,
/// and answers with that one when the server says that it still holds (304; RFC 9110 §13, RFC 9111 §4.3).
///
/// It never answers without asking. Below `AuthenticatedClient`, so that it sees what kind of credential is
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

    /// The fresh answer, or the kept one with `isRevalidated` set.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        guard let key = CacheKey(request, scope: scope) else { return try await base.send(request) }
        if let stored = cache.response(for: key), let asked = conditional(request, on: stored) {
            let response = try await base.send(asked)
            guard response.status == 304 else { return kept(response, of: request, for: key) }
            // The validators belong to the address that was asked, not to one it redirected to.
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

    /// The kept response with the headers that the 304 brings anew.
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
    // A limit that was told with an earlier answer says nothing of now.
    let momentary = ["retry-after", "ratelimit", "rate-limit"]
    return headers.pairs.compactMap { name, value in
        let lower = name.lowercased()
        guard !passing.contains(lower), !isTelling(name), !momentary.contains(where: lower.contains) else {
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
