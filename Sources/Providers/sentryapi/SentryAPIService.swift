import Transport

/// A service that is asked as Sentry is: a bearer token, paths below `/api/0/`, lists by cursor.
struct SentryAPIService: Sendable {
    /// The provider's name: `sentry`, `glitchtip`.
    var provider: String
    /// The root of the API.
    var base: Address
    /// What one request may cost.
    var limits: Limits
    /// The most requests of one fetch, besides retries.
    var mostRequests: Int
    /// What to do about a status, where the service needs other words than the transport's.
    var hint: @Sendable (HTTPStatusError) -> String?
}

extension Address {
    /// The root of the API of the service at this address, which may already name it.
    func sentryAPIRoot() throws(AddressError) -> Address {
        let isRoot = path.hasSuffix("/api/0") || path.hasSuffix("/api/0/")
        return isRoot ? self : try appending("api", "0")
    }
}
