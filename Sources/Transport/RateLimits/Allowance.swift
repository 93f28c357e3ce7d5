/// What a response says of the service's limit: nil is what it does not say.
package struct Allowance: Hashable, Sendable {
    /// Requests left in the current period.
    package var remaining: Int?
    /// Seconds until the next period begins.
    package var resetSeconds: Int?
    /// Seconds to wait, as Retry-After asks.
    package var retrySeconds: Int?
}

extension Response {
    /// Reads Retry-After, `X-Sentry-Rate-Limit-Remaining` and `-Reset` (seconds since 1970),
    /// `X-RateLimit-Remaining` and `-Reset`, and `X-Rate-Limit`; `now` is in seconds since 1970, UTC.
    package func allowance(now: Int) -> Allowance {
        Allowance(
            remaining: number("X-Sentry-Rate-Limit-Remaining") ?? number("X-RateLimit-Remaining")
                ?? hourlyRequestsLeft,
            resetSeconds: (number("X-Sentry-Rate-Limit-Reset") ?? number("X-RateLimit-Reset")).map {
                secondsUntilReset($0, now: now)
            },
            retrySeconds: retryAfterSeconds(now: now))
    }

    /// How long to wait before asking again, in seconds: Retry-After, otherwise for a 429 the time until the
    /// service's period begins anew, at least 1; nil when the response does not say.
    package func askedWaitSeconds(now: Int) -> Int? {
        let allowance = allowance(now: now)
        if let asked = allowance.retrySeconds { return asked }
        guard status == 429, let reset = allowance.resetSeconds else { return nil }
        return max(1, reset)
    }

    private func number(_ name: String) -> Int? {
        guard let text = headers[name], text.utf8.count <= 20, let number = Int(text), number >= 0 else {
            return nil
        }
        return number
    }
}

/// Some services give the instant, others the seconds until then; no period lasts ten years.
private func secondsUntilReset(_ value: Int, now: Int) -> Int {
    value < 315_360_000 ? value : max(0, value &- now)
}
