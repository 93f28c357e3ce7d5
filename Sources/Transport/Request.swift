/// One question to a server.
package struct Request: Hashable, Sendable {
    /// What is asked of the address.
    package enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Sends a body.
        case post = "POST"
    }

    /// What is asked.
    package var method: Method
    /// Whom and what.
    package var address: Address
    /// Lines besides those the client writes itself.
    package var headers = Headers()
    /// The body of a POST; not sent with GET.
    package var body: [UInt8]
    /// What it may cost.
    package var limits: Limits
    /// Whether asking twice does no harm; true for GET. Set it for a POST that only queries, so that it may
    /// be tried again.
    package var isIdempotent: Bool
    /// Whose request it is, for services that count by account; see `RateLimitKey`. It is not sent.
    package var account = ""
    /// The header fields in which the service says what is left of its limit. It is not sent.
    package var limitFields = RateLimitFields.usual
    private var concealed: Set<Secret> = []

    /// A request without headers.
    package init(_ method: Method = .get, _ address: Address, body: [UInt8] = [], limits: Limits = Limits()) {
        self.method = method
        self.address = address
        self.body = body
        self.limits = limits
        self.isIdempotent = method == .get
    }

    /// Names a secret that is inside the address or the body, so that errors do not show it.
    package mutating func conceal(_ secret: Secret) {
        concealed.insert(secret)
    }

    /// Removes the secret headers but goes on hiding their secrets in errors.
    mutating func dropCredentials() {
        concealed.formUnion(headers.secrets)
        headers.removeSecrets()
    }

    /// Knows every secret of the request.
    package var redaction: Redaction { Redaction(concealed.union(headers.secrets)) }
}
