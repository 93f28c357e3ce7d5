import AppHealth
package import Diagnostics
import Foundation
import Settings
import Tokens
package import Transport

/// `{"error": {code, message, status, details}}`: how Google's APIs say no.
struct GoogleErrorAnswer: Decodable, Sendable {
    var error: Content

    struct Content: Decodable, Sendable {
        var message: Lenient<WireLine>?
        /// A name such as `PERMISSION_DENIED`.
        var status: Lenient<WireName>?
        var details: Lenient<LossyArray<Detail>>?
        /// Older APIs name a reason here.
        var errors: Lenient<LossyArray<Detail>>?
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
    /// The reason as older APIs name it, such as `quotaExceeded`, or the other.
    var firstReason: String? {
        error.errors?.value?.values.lazy.compactMap { $0.reason?.value?.nonEmpty }.first ?? reason
    }
}

/// A response that says no, with what Google's envelope says of it, masked and cut.
struct GoogleRefusal: Sendable {
    private let httpStatus: Int
    /// `INVALID_ARGUMENT`, `PERMISSION_DENIED`, …; nil when the response is in another form.
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

/// What a response of 403 says is missing, of the three that an account needs; empty for every other response.
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

/// One of Google's services, with what differs in its use.
struct GoogleService: Sendable {
    /// The provider's name.
    var name: String
    /// Where it usually is.
    var usualBase: String
    /// What the access token must be for.
    var scope: String
    /// What the API is called in the Google Cloud console.
    var api: String
    /// The permission or role that the account needs, by the name that the service's console gives it.
    var role: String
    /// What to do when the account may not see the app.
    var permissionHint: String

    /// What an account needs, by name: what its tokens are for, what is enabled in its project, and its role.
    var permissions: [String] { [scope, "the \(api), enabled", role] }

    /// How it is used.
    var profile: ServiceProfile {
        let service = self
        return ServiceProfile(
            provider: name,
            hints: [
                401:
                    "check that the account of 'accountFile' or 'account' still exists and has the permissions needed"
            ],
            explain: { error, response in
                GoogleRefusal(error, response).explanation(service)
            }, budgetHint: "fetch again later")
    }

    /// Sends with tokens of the account.
    func client(base: Address, sender: TokenSender, limits: Limits, most: Int) -> ServiceClient {
        ServiceClient(profile, base: base, limits: limits, most: most, over: .tokens(sender))
    }

    /// The requests of a plan, the exchange for an access token first.
    func plan(
        _ calls: [(call: ServiceCall, most: Int)], below base: Address, account: ServiceAccountKey
    ) -> [PlannedRequest] {
        let token = PlannedRequest("POST", account.tokenAddress.description, purpose: "an access token")
        return [token] + calls.map { $0.call.planned(below: base, most: $0.most) }
    }
}

extension ServiceCall {
    /// A call of one of Google's services: colons in its path are meant.
    static func google(
        _ segments: [String], query: [(String, String)] = [], body: [UInt8]? = nil, part: String
    ) -> ServiceCall {
        ServiceCall(segments: segments, query: query, body: body, part: part, keepsColons: true)
    }
}

/// Why a configuration for one of Google's services cannot be made.
package enum GoogleConfigurationError: Error, Hashable, Sendable {
    /// The base is no address.
    case address(AddressError)
    /// A Firebase app id is `1:<project number>:<platform>:<hex digits>`.
    case firebaseApp(String)
    /// A package name is at least two names joined by dots.
    case package(String)
    /// A property of Google Analytics is a number.
    case property(String)
}

extension GoogleConfigurationError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .address(let error): error.diagnostic
        case .firebaseApp(let text):
            problem(
                text, "is no app id of Firebase",
                "write it as the Firebase console shows it: 1:123456789012:android:0a1b2c3d4e5f")
        case .package(let text):
            problem(text, "is no package name", "write the app's package name, such as org.example.app")
        case .property(let text):
            problem(
                text, "is no property id of Google Analytics",
                "write the number from the property's settings, not the G-… id of a stream")
        }
    }

    private func problem(_ text: String, _ what: String, _ hint: String) -> Diagnostic {
        .error(
            "google.configuration", "'\(printable(String(text.prefix(100))))' \(what)", hints: [hint])
    }
}

/// The address, with the error of these configurations.
func googleBase(_ text: String) throws(GoogleConfigurationError) -> Address {
    do throws(AddressError) {
        return try Address(text)
    } catch {
        throw .address(error)
    }
}

extension SettingKey {
    /// The key of the service account, which all of Google's services take.
    static let googleAccount = SettingKey.required(
        "account", .secret(.file), example: "service-account.json",
        "the key file of a service account; never commit it")
}

extension SourceSetup {
    /// The key of the service account, from the JSON that Google Cloud hands out.
    func googleAccount() throws -> ServiceAccountKey {
        try ServiceAccountKey(json: requiredSecret("account").bytes)
    }
}
