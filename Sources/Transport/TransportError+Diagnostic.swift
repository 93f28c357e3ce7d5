package import Diagnostics

extension TransportError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        .error(
            "transport.\(kind.rawValue)", "\(headline): \(printable(address))", details: details,
            at: .address(address), hints: [hint])
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
        case .notRecorded: "Request not in the recording"
        case .cancelled: "Request was cancelled"
        case .closed: "Client has been closed"
        case .failed: "Request failed"
        }
    }

    private var hint: String {
        switch kind {
        case .resolve: "check the host name and the name server"
        case .refused: "check host, port and proxy, and whether the service is running"
        case .timeout: "try again later, or request less at once"
        case .reset, .truncated: "try again; look for a proxy that cuts long responses"
        case .tooLarge: "request a shorter window or fewer rows"
        case .tls: "check the certificate and the clock, or name the CA file of your own authority"
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
        case .notRecorded: "record again with the configuration that is replayed"
        case .cancelled: "run it again"
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
