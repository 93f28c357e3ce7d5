import AppHealth
import Diagnostics
import Tokens
import Transport

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
            explain: { error, response in
                GoogleRefusal(error, response).explanation(service)
            }, budgetHint: "raise the limit, or request fewer days")
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
