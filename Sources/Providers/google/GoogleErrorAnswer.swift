import Foundation

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
