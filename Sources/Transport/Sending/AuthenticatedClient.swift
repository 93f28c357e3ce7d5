/// Sends requests with a credential, to the one origin the credential is for.
package struct AuthenticatedClient: Sender {
    /// Where the credential may go.
    package let origin: Origin
    private let base: any Sender
    private let headers: Headers

    /// Binds the credential to the origin; throws when its header cannot be sent.
    package init(_ base: some Sender, origin: Origin, credential: Credential) throws(HeaderError) {
        self.base = base
        self.origin = origin
        self.headers = try credential.headers
    }

    /// Sends with the credential; `.foreignOrigin` when the address lies elsewhere, as a pagination link may.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.address.origin == origin else {
            throw .foreignOrigin(request.address, home: origin, redaction: request.redaction)
        }
        var request = request
        request.headers.add(headers)
        return try await base.send(request)
    }
}

/// What proves to a service who the client is. There is no case for none: without a credential, use the client itself.
package enum Credential: Hashable, Sendable {
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(Secret)
    /// `Authorization: token …`.
    case token(Secret)
    /// A header of the service's own, such as `Auth-Token`.
    case header(String, Secret)

    var headers: Headers {
        get throws(HeaderError) {
            var headers = Headers()
            switch self {
            case .bearer(let secret): try headers.append("Authorization", prefix: "Bearer ", secret)
            case .token(let secret): try headers.append("Authorization", prefix: "token ", secret)
            case .header(let name, let secret): try headers.append(name, secret)
            }
            return headers
        }
    }
}
