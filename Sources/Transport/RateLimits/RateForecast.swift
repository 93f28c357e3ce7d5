package import Diagnostics

/// What planned requests would take of one account's limit at an origin.
package struct RateForecast: Hashable, Sendable {
    /// Whose requests, to whom.
    package var key: RateLimitKey
    /// How many requests are planned.
    package var requests: Int
    /// The limit; nil when none is known.
    package var limit: RateLimit?
    /// Milliseconds until the last of them may start, when each takes no time itself.
    package var milliseconds: Int

    /// The service.
    package var origin: Origin { key.origin }

    /// A note when the limit makes the run wait; nil otherwise.
    package var diagnostic: Diagnostic? {
        guard let limit, milliseconds > 0 else { return nil }
        return Diagnostic(
            .note, id: "transport.rate-forecast",
            "\(requests) requests to \(origin) need at least \((milliseconds - 1) / 1000 + 1) s",
            details: ["limit: \(limit)"], hints: ["request less, or allow more time"])
    }
}
