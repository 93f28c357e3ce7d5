package import Diagnostics

/// What a token server said when it refused an assertion (RFC 6749 §5.2).
package struct TokenRefusal: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// The code: `invalid_grant`, `invalid_client`, ….
    package var code: String
    /// What the server adds for people; masked and cut.
    package var text: String
    /// The account that sent the request.
    package var account: String
    /// The token server, masked.
    package var address: String
    /// How many seconds the server's clock is ahead of this machine's; nil when the response has no date.
    package var secondsAhead: Int?
}

extension TokenRefusal: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        .error(
            code == "invalid_grant" ? "token.invalid-grant" : "token.refused",
            "Token server refused the account \(printable(account)): \(printable(code))",
            details: clock, quotes: text.isEmpty ? [] : ["response: \(printable(text))"],
            at: .address(address), hints: hints)
    }

    /// Tokens are made for the minute; Google admits a few minutes of difference.
    private var clock: [String] {
        guard let secondsAhead, abs(secondsAhead) >= 60 else { return [] }
        let direction = secondsAhead > 0 ? "behind" : "ahead of"
        return ["this machine's clock is \(abs(secondsAhead)) seconds \(direction) the server's"]
    }

    private var hints: [String] {
        switch code {
        case "invalid_grant":
            [
                "set this machine's clock: a skew of a few minutes is the usual cause",
                "check whether the account or its key was deleted",
            ]
        case "invalid_scope": ["report this; the scope is fixed in the program"]
        case "unauthorized_client", "invalid_client", "access_denied":
            ["check whether the account or its key was disabled or deleted"]
        default: ["read the response above"]
        }
    }
}
