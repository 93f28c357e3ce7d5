import AppHealth
import Diagnostics
import Foundation
import Transport

extension ServiceProfile {
    /// A service with an API like Sentry's: a bearer token, paths below `/api/0/`, lists by cursor. A bad token
    /// ends everything; too many requests end those of their kind, for limits are counted so.
    ///
    /// - Parameters:
    ///   - now: The instant of the run, from which waits are counted.
    ///   - hint: What to do about a status, where the service needs other words than the transport's.
    static func sentryAPI(
        _ provider: String, at now: Instant, hint: @escaping @Sendable (HTTPStatusError) -> String?
    ) -> ServiceProfile {
        ServiceProfile(
            provider: provider,
            explain: { error, response in
                var explanation = RefusalExplanation(hints: hint(error).map { [$0] })
                if error.status == 429,
                    let wait = response.requestedWaitSeconds(.sentry, now: now.secondsSinceEpoch)
                {
                    explanation.more = [
                        "the service takes requests again at \(now.advanced(bySeconds: wait))"
                    ]
                }
                return explanation
            }, halting: [401], haltingGroup: [429], limitFields: .sentry)
    }
}

extension Address {
    /// The root of the API of the service at this address, which may already name it.
    func sentryAPIRoot() throws(AddressError) -> Address {
        let isRoot = path.hasSuffix("/api/0") || path.hasSuffix("/api/0/")
        return isRoot ? self : try appending("api", "0")
    }
}

/// The scopes of a token, which the root of the API tells: `{"auth": {"scopes": […]}}`; nil when it does not.
func sentryGrantedScopes(
    below base: Address, limits: Limits, sender: some Sender
) async -> [String]? {
    guard let address = try? base.appending("") else { return nil }
    let response = try? await sender.goodResponse(to: Request(.get, address, limits: limits))
    guard let body = response?.body,
        let root = try? JSONDecoder().decode(APIRoot.self, from: Data(body)),
        let scopes = root.auth?.scopes
    else { return nil }
    return scopes.filter(isScope)
}

private struct APIRoot: Decodable {
    var auth: Auth?

    struct Auth: Decodable {
        var scopes: [String]?
    }
}

private func isScope(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 60
        && text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || ":-_".utf8.contains(byte)
        }
}

/// The scopes that a token needs, at Sentry and at GlitchTip.
let sentryScopes = ["org:read", "project:read", "event:read"]

extension RateLimitFields {
    /// What Sentry sends, with the usual names for what stands before it.
    static let sentry = RateLimitFields(
        remaining: ["X-Sentry-Rate-Limit-Remaining", "X-RateLimit-Remaining"],
        reset: ["X-Sentry-Rate-Limit-Reset", "X-RateLimit-Reset"])
}
