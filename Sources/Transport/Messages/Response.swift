private import CCurl
package import Diagnostics

/// What a server responded with, whatever its status.
package struct Response: Sendable {
    /// The HTTP status; 200 for a file that was read.
    package var status: Int
    /// The header lines in the order received.
    package var headers: Headers
    /// The body, decompressed.
    package var body: [UInt8]
    /// The address that responded in the end, after redirects.
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

    /// A response; tests and replayed exchanges make theirs here.
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

extension Response {
    /// The server's clock in seconds since 1970, from its Date field (RFC 9110 §6.6.1); nil without a sound one.
    package var serverSeconds: Int? {
        headers["Date"].flatMap(httpDate)
    }

    /// How long the server says to wait, in seconds from `now` (seconds since 1970, UTC); nil when it does
    /// not say or says it wrongly. Reads Retry-After as seconds or as an HTTP date (RFC 9110 §10.2.3).
    package func retryAfterSeconds(now: Int) -> Int? {
        guard let text = headers["Retry-After"], text.utf8.count <= 64 else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? seconds : nil }
        return httpDate(text).map { max(0, $0 &- now) }
    }
}

private func httpDate(_ text: String) -> Int? {
    guard text.utf8.count <= 64, text.contains(":"), !text.contains("\0") else { return nil }
    let date = unsafe curl_getdate(text, nil)
    return date < 0 ? nil : date
}

/// Bytes undone from gzip.
///
/// - Parameters:
///   - most: The most bytes after decompression.
///   - address: Where they came from, for the fault.
/// - Throws: `.encoding` when they are no gzip, `.truncated` when they end before their end, `.tooLarge`.
package func gunzipped(
    _ bytes: [UInt8], most: Int, from address: Address, redaction: Redaction = Redaction()
) throws(TransportError) -> [UInt8] {
    var receiver = BodyReceiver(limit: most)
    // One call takes at most what zlib counts in 32 bits.
    for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
        let piece = bytes[start..<min(bytes.count, start + 1 << 20)]
        guard unsafe piece.withUnsafeBytes({ unsafe receiver.receive($0, coding: "gzip") }) else { break }
    }
    guard let fault = receiver.refusal ?? receiver.shortage else { return receiver.bytes }
    throw TransportError(
        fault.kind, address, doing: "decompressing the body", fault.text, redaction: redaction)
}

extension Response {
    /// The body undone from gzip: for files that are gzip themselves and come without a Content-Encoding.
    ///
    /// - Parameter most: The most bytes after decompression.
    /// - Throws: `.encoding` when the body is no gzip, `.truncated` when it ends before its end, `.tooLarge`.
    package func gunzippedBody(most: Int) throws(TransportError) -> [UInt8] {
        // What was compressed was not searched for the secrets yet.
        redaction.masked(body: try gunzipped(body, most: most, from: address, redaction: redaction))
    }
}

/// A response whose status says that the request was not served.
package struct HTTPStatusError: Error, Hashable, Sendable {
    /// The status, 300 or more.
    package var status: Int
    /// The address that responded, masked.
    package var address: String
    /// The first printable characters of the body, at most 200, masked.
    package var excerpt: String
    /// The Retry-After header as it was sent.
    package var retryAfter: String?
    /// How many tries were made.
    package var attempts: Int
    /// Time spent over all tries, in milliseconds.
    package var milliseconds: Int
}

extension Response {
    /// The response when its status is 200…299 or 304, without the secrets of its request; otherwise the status as an
    /// error.
    @discardableResult
    package func checked() throws(HTTPStatusError) -> Response {
        guard !(200...299).contains(status), status != 304 else {
            var response = self
            response.body = redaction.masked(body: body)
            return response
        }
        throw HTTPStatusError(
            status: status, address: redaction.masked(address.text), excerpt: excerpt,
            retryAfter: headers["Retry-After"].map { printable(String(redaction.masked($0).prefix(40))) },
            attempts: attempts, milliseconds: milliseconds)
    }

    // Masked before it is cut: the cut could leave half a secret that no longer matches.
    private var excerpt: String {
        let text = redaction.masked(body, first: 65_536)
        let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        // Once more: what is no longer between its characters may have hidden one.
        let shown = String(String.UnicodeScalarView(words.unicodeScalars.filter(isPrintable)))
        return String(String.UnicodeScalarView(redaction.masked(shown).unicodeScalars.prefix(200)))
    }
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
}

extension HTTPStatusError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        var details: [String] = []
        if let retryAfter { details.append("Retry-After: \(retryAfter)") }
        details.append(
            "after \(attempts) \(attempts == 1 ? "attempt" : "attempts") and \(milliseconds) ms")
        let shown = shownAddress(address)
        return .error(
            "transport.status-\(status)", "Server returned \(status): \(shown)",
            details: details, quotes: excerpt.isEmpty ? [] : ["response: \(excerpt)"],
            at: .address(shown), hints: [hint])
    }

    private var hint: String {
        switch status {
        case 401: "check that the token is set and has not expired"
        case 403: "give the token the scopes this endpoint needs"
        case 404: "check the names in the URL; some services return 404 when the token has no access"
        case 429: "wait as long as the server requests, or fetch less often"
        case 500...: "try again later; the fault is on the server's side"
        case 300...399: "use the final URL in the configuration"
        default: "read the response above and correct the request"
        }
    }
}

extension HTTPStatusError: CustomStringConvertible {
    /// The headline with its facts on one line.
    package var description: String {
        ([diagnostic.summary] + diagnostic.quotes + diagnostic.details).joined(separator: "; ")
    }
}
