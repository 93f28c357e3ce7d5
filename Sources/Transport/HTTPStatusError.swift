package import Diagnostics

/// A response whose status says that the request was not served.
package struct HTTPStatusError: Error, Hashable, Sendable {
    /// The status, 300 or more.
    package var status: Int
    /// The address that answered, masked.
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
    /// The response when its status is 200…299 or 304; otherwise the status as an error.
    @discardableResult
    package func checked() throws(HTTPStatusError) -> Response {
        guard !(200...299).contains(status), status != 304 else { return self }
        throw HTTPStatusError(
            status: status, address: redaction.masked(address.text), excerpt: excerpt,
            retryAfter: headers["Retry-After"].map { printable(String(redaction.masked($0).prefix(40))) },
            attempts: attempts, milliseconds: milliseconds)
    }

    // Masked before it is cut: the cut could leave half a secret that no longer matches.
    private var excerpt: String {
        let text = redaction.masked(String(decoding: body.prefix(65_536), as: UTF8.self))
        let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        return String(words.unicodeScalars.filter(isPrintable).map(Character.init).prefix(200))
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
        var details = excerpt.isEmpty ? [] : ["answer: \(excerpt)"]
        if let retryAfter { details.append("Retry-After: \(retryAfter)") }
        details.append(
            "after \(attempts) \(attempts == 1 ? "attempt" : "attempts") and \(milliseconds) ms")
        return .error(
            "transport.status-\(status)", "Server answered \(status): \(printable(address))",
            details: details,
            at: .address(address), hints: [hint])
    }

    private var hint: String {
        switch status {
        case 401: "check that the token is set and has not expired"
        case 403: "give the token the scopes this endpoint needs"
        case 404: "check the names in the address; some services answer 404 when the token may not see them"
        case 429: "wait as long as the server asks, or fetch less often"
        case 500...: "try again later; the fault is on the server's side"
        case 300...399: "use the final address in the configuration"
        default: "read the answer above and correct the request"
        }
    }
}

extension HTTPStatusError: CustomStringConvertible {
    /// The headline with its facts on one line.
    package var description: String {
        ([diagnostic.summary] + diagnostic.details).joined(separator: "; ")
    }
}
