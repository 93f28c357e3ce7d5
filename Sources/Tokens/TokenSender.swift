import Diagnostics
package import Transport

/// Sends requests with the bearer token of a source, to the one origin that the token is for.
///
/// After a response of 401 a request is sent once more with a fresh token.
package struct TokenSender: Sender {
    /// Why a request got no response.
    package enum Fault: Error, Hashable, Sendable {
        /// There is no token.
        case token(TokenError)
        /// There is one, and the request failed.
        case transport(TransportError)
    }

    /// Where the token may go.
    package let origin: Origin
    private let base: any Sender
    private let tokens: TokenSource

    /// Lays the tokens over another sender.
    package init(_ base: some Sender, origin: Origin, tokens: TokenSource) {
        self.base = base
        self.origin = origin
        self.tokens = tokens
    }

    /// The response, whatever its status.
    package func response(to request: Request) async throws(Fault) -> Response {
        // Before a token is requested: a foreign address must not even cost one.
        guard request.address.origin == origin else {
            throw .transport(.foreignOrigin(request.address, home: origin, redaction: request.redaction))
        }
        let first = try await once(request)
        guard first.status == 401 else { return first }
        var second = try await once(request)
        second.attempts += first.attempts
        // After a run of refusals there is no token any more; its error says more than one more 401.
        if second.status == 401 { _ = try await token() }
        return second
    }

    private func once(_ request: Request) async throws(Fault) -> Response {
        let token = try await token()
        let response = try await send(request, with: token)
        if response.status == 401 { await tokens.refused(token) } else { await tokens.accepted() }
        return response
    }

    /// The same, where a missing token counts as a request that failed.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        do throws(Fault) {
            return try await response(to: request)
        } catch {
            switch error {
            case .transport(let error): throw error
            case .token(.transport(let error)): throw error
            case .token(let error):
                throw TransportError(
                    .failed, request.address, doing: "getting an access token", error.diagnostic.summary,
                    redaction: request.redaction)
            }
        }
    }

    private func token() async throws(Fault) -> AccessToken {
        do throws(TokenError) {
            return try await tokens.token()
        } catch {
            throw .token(error)
        }
    }

    private func send(_ request: Request, with token: AccessToken) async throws(Fault) -> Response {
        let client: AuthenticatedClient
        do throws(HeaderError) {
            client = try AuthenticatedClient(base, origin: origin, credential: .bearer(token.secret))
        } catch {
            throw .token(.unreadable(address: request.redaction.masked(request.address.text)))
        }
        do throws(TransportError) {
            return try await client.send(request)
        } catch {
            throw .transport(error)
        }
    }
}
