package import Diagnostics
package import Transport

/// Why there is no access token. Nothing in it holds a key or a token.
package enum TokenError: Error, Hashable, Sendable {
    /// The token server did not answer.
    case transport(TransportError)
    /// The token server says no, in the words of RFC 6749 §5.2.
    case refused(TokenRefusal)
    /// The token server says no in no words that are known.
    case status(HTTPStatusError)
    /// The token server's answer holds no token.
    case unreadable(address: String)
    /// The assertion could not be signed.
    case signing(JWTError)
    /// The service refused so many fresh tokens in a row with 401.
    case rejected(times: Int)

    /// Whether asking again would bring the same.
    package var isLasting: Bool {
        switch self {
        case .transport, .unreadable: false
        case .refused(let refusal): refusal.status != 429 && refusal.status < 500
        case .status(let error): error.status != 429 && error.status < 500
        case .signing, .rejected: true
        }
    }

    /// Whether the run was called off.
    package var isCancelled: Bool {
        if case .transport(let error) = self {
            error.endsRun
        } else {
            false
        }
    }
}

extension TokenError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .transport(let error): Self.noToken(error.diagnostic)
        case .refused(let refusal): refusal.diagnostic
        case .status(let error): Self.noToken(error.diagnostic)
        case .unreadable(let address):
            .error(
                "token.unreadable", "Answer of the token server holds no access token",
                at: .address(address),
                hints: ["look whether a proxy or a login page answers in place of the token server"])
        case .signing(let error): error.diagnostic
        case .rejected(let times):
            .error(
                "token.rejected", "Service refused \(times) fresh access tokens in a row",
                details: ["nothing more is asked with this account in this run"],
                hints: [
                    "look whether the account still exists and has the rights that this service needs"
                ])
        }
    }

    private static func noToken(_ why: Diagnostic) -> Diagnostic {
        .error(
            "token.unavailable", "No access token: \(why.summary)", details: why.details, at: why.location,
            hints: why.hints)
    }
}
