import Foundation
import Transport

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
