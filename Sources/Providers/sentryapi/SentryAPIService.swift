import AppHealth
import Diagnostics
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
