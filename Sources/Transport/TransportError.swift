package import Diagnostics

/// Why a request brought no response. Holds facts, all free of secrets; text is made from them.
package struct TransportError: Error, Hashable, Sendable {
    /// What kind of failure it was.
    package enum Kind: String, Sendable, CaseIterable {
        /// The host name has no address.
        case resolve
        /// No connection could be made.
        case refused
        /// A time limit passed.
        case timeout
        /// The connection broke.
        case reset
        /// The body ended before it was whole.
        case truncated
        /// The body or the headers are larger than the limit.
        case tooLarge = "too-large"
        /// TLS failed or the certificate is not trusted.
        case tls
        /// Where an https URL leads no TLS is spoken.
        case noTLS = "no-tls"
        /// The proxy makes no connection to the host.
        case proxy
        /// The scheme is not allowed here.
        case scheme
        /// A redirect that is not followed.
        case redirect
        /// A credential was about to go to another origin than its own.
        case foreignOrigin = "foreign-origin"
        /// The body is not compressed as it says.
        case encoding
        /// The response is not HTTP.
        case malformed
        /// The file cannot be read.
        case file
        /// The header cannot be sent.
        case header
        /// The service's limit of requests leaves no room soon enough.
        case rateLimit = "rate-limit"
        /// The service failed again and again in this run and gets no more requests.
        case outage
        /// The time that the run has for all its requests is spent.
        case timeBudget = "time-budget"
        /// By the server's clock it is another day.
        case clock
        /// The recording that is replayed has no response to this request.
        case notRecorded = "not-recorded"
        /// The request would change something at the service, and this run changes nothing.
        case withheld
        /// The task was canceled.
        case canceled
        /// The client has been closed.
        case closed
        /// libcurl failed in another way.
        case failed
    }

    /// What kind of failure it was.
    package var kind: Kind
    /// The address that was requested, masked.
    package var address: String
    /// What was being done, such as `reading the body`.
    package var doing: String
    /// libcurl's name of the code, such as `CURLE_COULDNT_CONNECT (7)`; nil when libcurl was not used.
    package var code: String?
    /// What libcurl or the check said, masked.
    package var text: String
    /// The status, when one had been received.
    package var status: Int?
    /// How many tries were made.
    package var attempts = 1
    /// Time spent over all tries, in milliseconds.
    package var milliseconds = 0
    /// Whether it ended between two requests, so that none was under way: in the wait before one.
    package var isBetweenRequests = false
    /// What to do next, where the system's reason says more than the kind.
    var hint: String?

    /// A failure that this module's checks found.
    package init(
        _ kind: Kind, _ address: Address, doing: String, _ text: String = "",
        redaction: Redaction = Redaction()
    ) {
        self.kind = kind
        self.address = redaction.masked(address.text)
        self.doing = doing
        self.text = redaction.masked(text)
    }

    /// Whether every other request of the run would fare the same: it was called off, its time is spent, or the server's
    /// clock is another one.
    package var endsRun: Bool { [.canceled, .closed, .timeBudget, .clock].contains(kind) }

    /// The request would have carried the credential of `home` to the address's origin.
    package static func foreignOrigin(
        _ address: Address, home: Origin, redaction: Redaction = Redaction()
    ) -> TransportError {
        TransportError(
            .foreignOrigin, address, doing: "attaching the credential", "it belongs to \(home)",
            redaction: redaction)
    }
}

extension TransportError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let id = "transport.\(kind.rawValue)"
        let hints = [hint ?? usualHint]
        // An address that is a secret as a whole names no place.
        if address == Secret.mask { return .error(id, headline, details: details, hints: hints) }
        let shown = shownAddress(address)
        return .error(
            id, "\(headline): \(shown)", details: details, at: .address(shown), hints: hints)
    }

    private var details: [String] {
        var lines = ["while \(doing)"]
        let said = [code, text.isEmpty ? nil : text].compactMap { $0 }.joined(separator: ": ")
        if !said.isEmpty { lines.append(printable(said)) }
        if let status { lines.append("status \(status)") }
        lines.append("after \(attempts) \(attempts == 1 ? "attempt" : "attempts") and \(milliseconds) ms")
        return lines
    }

    private var headline: String {
        switch kind {
        case .resolve: "Host not found"
        case .refused: "Connection failed"
        case .timeout: "Request timed out"
        case .reset: "Connection lost"
        case .truncated: "Response incomplete"
        case .tooLarge: "Response too large"
        case .tls: "TLS certificate not trusted"
        case .noTLS: "Server doesn't speak TLS at this port"
        case .proxy: "Proxy refused the connection"
        case .scheme: "Scheme is not allowed"
        case .redirect: "Redirect is not followed"
        case .foreignOrigin: "Token not sent: URL is on another host"
        case .encoding: "Response cannot be decompressed"
        case .malformed: "Response is not HTTP"
        case .file: "File cannot be read"
        case .header: "Header cannot be sent"
        case .rateLimit: "Rate limit reached"
        case .outage: "Service unavailable; requests stopped"
        case .timeBudget: "Time budget used up"
        case .clock: "Clocks differ by a day or more"
        case .notRecorded: "Request not in the recording"
        case .withheld: "Request not sent"
        case .canceled: "Request canceled"
        case .closed: "Client is closed"
        case .failed: "Request failed"
        }
    }

    private var usualHint: String {
        switch kind {
        case .resolve: "check the host name and the name server"
        case .refused: "check host, port and proxy, and whether the service is running"
        case .timeout: "try again later, or request less at once"
        case .reset, .truncated: "try again; look for a proxy that cuts long responses"
        case .tooLarge: "request a shorter window or fewer rows"
        case .tls: "check the certificate and the clock, or set 'certificateAuthority' for your own authority"
        case .noTLS: "correct the scheme or the port of the URL"
        case .proxy: "allow the host in the proxy, or name it in 'no_proxy' if it can be reached without"
        case .scheme: "use an https:// URL"
        case .redirect: "use the final URL in the configuration"
        case .foreignOrigin: "use the URL the server names itself by, with its scheme and port"
        case .encoding, .malformed:
            "check that the URL is that of an HTTP service, with no proxy altering it"
        case .file: "check that the path names a readable file"
        case .header: "correct the header or the secret it is made from"
        case .rateLimit: "fetch again later, or request less at once"
        case .outage: "see whether the service is up, and fetch again later"
        case .timeBudget: "raise 'timeBudget' in the configuration, or fetch fewer apps in one run"
        case .clock: "set the clock that is wrong, this machine's or the server's, and fetch again"
        case .notRecorded: "record again with the configuration that is replayed"
        case .withheld: "run 'plimsoll fetch', which may send it"
        case .canceled: "run it again"
        case .closed: "send requests before the client is closed"
        case .failed: "read what libcurl said above"
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// The headline with its facts on one line.
    package var description: String {
        ([diagnostic.summary] + diagnostic.details).joined(separator: "; ")
    }
}
