import Diagnostics
import Foundation
import Transport

/// `{"error": {code, message, status, details}}`: how Google's APIs say no.
struct GoogleErrorAnswer: Decodable, Sendable {
    var error: Content

    struct Content: Decodable, Sendable {
        var message: Lenient<WireLine>?
        /// A name such as `PERMISSION_DENIED`.
        var status: Lenient<WireName>?
        var details: Lenient<LossyArray<Detail>>?
    }

    /// One of several kinds; the one of kind `ErrorInfo` has a reason such as `SERVICE_DISABLED`.
    struct Detail: Decodable, Sendable {
        var reason: Lenient<WireName>?
    }

    /// What a body says, when it is in this form.
    init?(_ body: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(GoogleErrorAnswer.self, from: Data(body)) else {
            return nil
        }
        self = answer
    }

    var status: String? { error.status?.value?.nonEmpty }
    var message: String? { error.message?.value?.nonEmpty }
    var reason: String? {
        error.details?.value?.values.lazy.compactMap { $0.reason?.value?.nonEmpty }.first
    }
}

/// An answer that says no, with what Google's envelope says of it, masked and cut.
struct GoogleRefusal: Sendable {
    private let httpStatus: Int
    /// `INVALID_ARGUMENT`, `PERMISSION_DENIED`, …; nil when the answer is in another form.
    private var status: String?
    private var message: String?
    /// `SERVICE_DISABLED`, `ACCESS_TOKEN_SCOPE_INSUFFICIENT`, …
    private var reason: String?

    init(_ error: HTTPStatusError, _ response: Response) {
        httpStatus = error.status
        guard let answer = GoogleErrorAnswer(response.body) else { return }
        let plain = { (text: String?) in text.map { String(response.redaction.masked($0).prefix(300)) }
        }
        status = plain(answer.status)
        message = plain(answer.message)
        reason = plain(answer.reason)
    }

    func explanation(_ service: GoogleService) -> RefusalExplanation {
        var explanation = RefusalExplanation(hints: hints(service))
        if let message {
            let said = [status, reason].compactMap(\.self).joined(separator: ", ")
            explanation.said = [printable(said.isEmpty ? message : "\(said): \(message)")]
        }
        return explanation
    }

    private func hints(_ service: GoogleService) -> [String]? {
        switch (httpStatus, reason) {
        case (403, "SERVICE_DISABLED"): ["enable the \(service.api) for the account's project"]
        case (403, _): ["enable the \(service.api) for the account's project", service.permissionHint]
        case (404, _): ["check the names in the configuration", service.permissionHint]
        case (429, _): ["wait, or fetch less often; the quota is that of the account's project"]
        default: nil
        }
    }
}

/// What an answer of 403 says is missing, of the three that an account needs; empty for every other answer.
func googleMissingPermissions(in refusal: Response, of service: GoogleService) -> [String] {
    guard refusal.status == 403 else { return [] }
    let challenge = refusal.headers["WWW-Authenticate"] ?? ""
    switch GoogleErrorAnswer(refusal.body)?.reason {
    case "ACCESS_TOKEN_SCOPE_INSUFFICIENT": return [service.scope]
    case "SERVICE_DISABLED": return ["the \(service.api), enabled"]
    case _ where challenge.contains("insufficient_scope"): return [service.scope]
    default: return [service.role]
    }
}
