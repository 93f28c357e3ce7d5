/// One question to a server.
package struct Request: Hashable, Sendable {
    /// The HTTP method.
    package enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Sends a body.
        case post = "POST"
        /// Puts a body in the place of what is at the address.
        case put = "PUT"
        /// Changes what is at the address.
        case patch = "PATCH"
        /// Removes what is at the address.
        case delete = "DELETE"

        /// Whether a body goes with it.
        var hasBody: Bool { self == .post || self == .put || self == .patch }
    }

    /// What is requested.
    package var method: Method
    /// Whom and what.
    package var address: Address
    /// Lines besides those the client writes itself.
    package var headers = Headers()
    /// The body of a POST, PUT or PATCH; not sent with others.
    package var body: [UInt8]
    /// A file that is sent in the place of `body`, piece by piece.
    package var bodyFile: BodyFile?
    /// What it may cost.
    package var limits: Limits
    /// Whether asking twice does no harm; true for all but POST. Set it for a POST that only queries, so that it may
    /// be tried again.
    package var isIdempotent: Bool
    /// Whether a failed try is tried again before its caller sees it; false where only the caller can tell a failure
    /// that may pass.
    package var isRetried = true
    /// Which attempt of its caller's own this is, from 1: however often one is sent again, to the service it is one
    /// request that fails.
    package var attempt = 1
    /// How a refusal shows that it is the service's own and of this request alone. It is not sent.
    package var ownRefusals = OwnRefusals.none
    /// Whether it must not arrive twice, also where it may be tried again: it gets a new connection, as libcurl sends
    /// what had no response on a used one once more by itself. So does whatever is not idempotent.
    package var arrivesOnce = false
    /// Whose request it is, for services that count by account; see `RateLimitKey`. It is not sent.
    package var account = ""
    /// The header fields in which the service says what is left of its limit. It is not sent.
    package var limitFields = RateLimitFields.usual
    /// Whether it goes to no address of this machine or a private network, whatever a name server says.
    var staysPublic = false
    private var concealed: Set<Secret> = []

    /// A request without headers.
    package init(_ method: Method = .get, _ address: Address, body: [UInt8] = [], limits: Limits = Limits()) {
        self.method = method
        self.address = address
        self.body = body
        self.limits = limits
        self.isIdempotent = method != .post
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

/// A file on this machine as the body of a PUT.
package struct BodyFile: Hashable, Sendable {
    /// Where it is.
    package let path: String
    /// Its bytes; a file of another size fails the request.
    package let size: Int
    /// The SHA-256 of its bytes in hexadecimal digits, for those that sign requests.
    package let sha256: String

    /// Names a file.
    package init(path: String, size: Int, sha256: String) {
        (self.path, self.size, self.sha256) = (path, size, sha256)
    }
}

/// What one request may cost.
package struct Limits: Hashable, Sendable {
    /// Milliseconds for name lookup, connection and TLS.
    package var connectMilliseconds = 10_000
    /// Milliseconds for the whole request, redirects included; waiting for a free connection is not counted.
    package var totalMilliseconds = 60_000
    /// Bytes a second below which a transfer counts as slow; 0 turns the check off.
    package var slowBytesPerSecond = 64
    /// Seconds a transfer may stay slow.
    package var slowSeconds = 30
    /// The most bytes of a body, counted after decompression.
    package var bodyBytes = 64 << 20
    /// The most bytes of all header lines of one response.
    package var headerBytes = 128 << 10
    /// The most redirects that are followed.
    package var redirects = 5
    /// Whether a redirect may lead to another origin: for signed downloads, which need no credential. Even then none
    /// leads to this machine or a private network, unless the request itself went there.
    package var followsOtherOrigins = false

    /// 10 s to connect, 60 s in all, 64 MiB of body, 5 redirects within the origin.
    package init() {}
}
