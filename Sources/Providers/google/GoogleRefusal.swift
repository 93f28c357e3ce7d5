import Diagnostics
import Transport

/// An answer that says no, with what Google's envelope tells of it.
struct GoogleRefusal: Error, Hashable, Sendable {
    var http: HTTPStatusError
    /// `INVALID_ARGUMENT`, `PERMISSION_DENIED`, …; nil when the answer is in another form.
    var status: String?
    /// What the service says, masked and cut.
    var message: String?
    /// `SERVICE_DISABLED`, `ACCESS_TOKEN_SCOPE_INSUFFICIENT`, …
    var reason: String?

    init(_ http: HTTPStatusError, body: [UInt8], redaction: Redaction) {
        self.http = http
        guard let answer = GoogleErrorAnswer(body) else { return }
        let plain = { (text: String?) in text.map { String(redaction.masked($0).prefix(300)) } }
        status = plain(answer.status)
        message = plain(answer.message)
        reason = plain(answer.reason)
    }

    func diagnostic(_ service: GoogleService) -> Diagnostic {
        var result = http.diagnostic
        result.summary = "\(service.name): \(result.summary)"
        if let message {
            let said = [status, reason].compactMap(\.self).joined(separator: ", ")
            result.details.removeAll { $0.hasPrefix("answer: ") }
            result.details.insert(printable(said.isEmpty ? message : "\(said): \(message)"), at: 0)
        }
        if let hints = hints(service) { result.hints = hints }
        return result
    }

    private func hints(_ service: GoogleService) -> [String]? {
        switch (http.status, reason) {
        case (403, "SERVICE_DISABLED"): ["enable the \(service.api) for the account's project"]
        case (403, _): ["enable the \(service.api) for the account's project", service.permissionHint]
        case (404, _): ["check the names in the configuration", service.permissionHint]
        case (429, _): ["wait, or fetch less often; the quota is that of the account's project"]
        default: nil
        }
    }
}
