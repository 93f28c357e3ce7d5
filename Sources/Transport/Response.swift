/// What a server answered, whatever its status.
package struct Response: Sendable {
    /// The HTTP status; 200 for a file that was read.
    package var status: Int
    /// The header lines in the order received.
    package var headers: Headers
    /// The body, decompressed.
    package var body: [UInt8]
    /// The address that answered in the end, after redirects.
    package var address: Address
    /// `1.0`, `1.1`, `2` or `3`; empty for a file.
    package var httpVersion: String
    /// Time from the start of the request to the end of the body, redirects included, in milliseconds.
    package var milliseconds: Int
    /// How many connections had to be made for it; 0 when one was reused.
    package var newConnections: Int
    /// How many tries it took, this one included.
    package var attempts = 1
    /// Whether the body is an earlier one that the server said still holds (304).
    package var isRevalidated = false
    /// Knows the secrets of the request.
    package var redaction: Redaction

    /// An answer; tests and replayed exchanges make theirs here.
    package init(
        status: Int, headers: Headers = Headers(), body: [UInt8] = [], address: Address,
        httpVersion: String = "1.1", milliseconds: Int = 0, newConnections: Int = 0,
        redaction: Redaction = Redaction()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.address = address
        self.httpVersion = httpVersion
        self.milliseconds = milliseconds
        self.newConnections = newConnections
        self.redaction = redaction
    }

    /// The body as text; bytes that are not UTF-8 become replacement characters.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
