package import Diagnostics
import Synchronization

/// The buckets of all accounts at all origins of one run.
package final class RateLimiter: Sendable {
    private let limits: [Origin: RateLimit]
    private let pacing: Pacing
    private let buckets = Mutex<[RateLimitKey: TokenBucket]>([:])

    /// A limiter for these origins; of others it only heeds what they say.
    package init(_ limits: [Origin: RateLimit] = [:], pacing: Pacing = .system) {
        self.limits = limits
        self.pacing = pacing
    }

    /// What so many requests under each key would take, before the first is sent; sorted by origin and account.
    /// Takes no token.
    package func forecast(_ planned: [(key: RateLimitKey, requests: Int)]) -> [RateForecast] {
        let now = pacing.milliseconds()
        let counts = planned.reduce(into: [RateLimitKey: Int]()) { counts, plan in
            let sum = (counts[plan.key] ?? 0).addingReportingOverflow(max(0, plan.requests))
            counts[plan.key] = sum.overflow ? Int.max : sum.partialValue
        }
        return counts.map { key, requests in
            RateForecast(
                key: key, requests: requests, limit: limits[key.origin],
                milliseconds: wait(for: requests, of: key, now: now))
        }
        .sorted {
            ($0.origin.description, $0.key.account) < ($1.origin.description, $1.key.account)
        }
    }

    /// Reserves a token; gives the moment from which the request may be sent, on the pacing's clock.
    func reserve(for key: RateLimitKey) -> Int {
        let now = pacing.milliseconds()
        return buckets.withLock { $0[key, default: TokenBucket(limits[key.origin])].reserve(at: now) }
    }

    func giveBack(_ start: Int, of key: RateLimitKey) {
        buckets.withLock { $0[key]?.giveBack(startedAt: start) }
    }

    /// How long a request with this moment has still to wait, in milliseconds; 0 when it may go.
    func wait(until start: Int, for key: RateLimitKey) -> Int {
        let now = pacing.milliseconds()
        let reopening = buckets.withLock { $0[key]?.reopening(after: now) }
        return max(0, max(start, reopening ?? start) &- now)
    }

    func learn(from response: Response, fields: RateLimitFields, for key: RateLimitKey) {
        let now = pacing.milliseconds()
        let status = response.rateLimitStatus(fields, now: pacing.now())
        buckets.withLock { buckets in
            buckets[key, default: TokenBucket(limits[key.origin])].learn(
                status, httpStatus: response.status, at: now)
        }
    }

    /// Whole periods are calculated, the rest is tried out on a copy.
    private func wait(for requests: Int, of key: RateLimitKey, now: Int) -> Int {
        guard requests > 0 else { return 0 }
        var bucket = buckets.withLock { $0[key] } ?? TokenBucket(limits[key.origin])
        guard let limit = bucket.limit else { return max(0, bucket.reserve(at: now) &- now) }
        let periods = (requests - 1) / limit.requests
        var last = now
        for _ in 0..<(requests - periods * limit.requests) { last = bucket.reserve(at: now) }
        let (whole, isTooLong) = periods.multipliedReportingOverflow(by: limit.milliseconds)
        return isTooLong ? Int.max : (last - now).addingReportingOverflow(whole).partialValue
    }
}

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
