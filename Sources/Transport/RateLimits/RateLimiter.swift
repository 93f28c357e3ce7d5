import Synchronization

/// The buckets of all origins that one run asks.
package final class RateLimiter: Sendable {
    private let limits: [Origin: RateLimit]
    private let pacing: Pacing
    private let buckets = Mutex<[Origin: TokenBucket]>([:])

    /// A limiter for these origins; of others it only heeds what they say.
    package init(_ limits: [Origin: RateLimit] = [:], pacing: Pacing = .system) {
        self.limits = limits
        self.pacing = pacing
    }

    /// What so many requests to each origin would take, before the first is sent; sorted by origin. Takes no
    /// token.
    package func forecast(_ planned: [(origin: Origin, requests: Int)]) -> [RateForecast] {
        let now = pacing.milliseconds()
        let counts = planned.reduce(into: [Origin: Int]()) { counts, plan in
            let sum = (counts[plan.origin] ?? 0).addingReportingOverflow(max(0, plan.requests))
            counts[plan.origin] = sum.overflow ? Int.max : sum.partialValue
        }
        return counts.map { origin, requests in
            RateForecast(
                origin: origin, requests: requests, limit: limits[origin],
                milliseconds: wait(for: requests, at: origin, now: now))
        }
        .sorted { $0.origin.description < $1.origin.description }
    }

    /// Takes a token; gives the moment from which the request may be sent, on the pacing's clock.
    func take(at origin: Origin) -> Int {
        let now = pacing.milliseconds()
        return buckets.withLock { $0[origin, default: TokenBucket(limits[origin])].take(at: now) }
    }

    func giveBack(_ start: Int, at origin: Origin) {
        buckets.withLock { $0[origin]?.giveBack(startedAt: start) }
    }

    /// How long a request with this moment has still to wait, in milliseconds; 0 when it may go.
    func wait(until start: Int, at origin: Origin) -> Int {
        let now = pacing.milliseconds()
        let reopening = buckets.withLock { $0[origin]?.reopening(after: now) }
        return max(0, max(start, reopening ?? start) &- now)
    }

    func learn(from response: Response, at origin: Origin) {
        let now = pacing.milliseconds()
        let allowance = response.allowance(now: pacing.now())
        buckets.withLock { buckets in
            buckets[origin, default: TokenBucket(limits[origin])].learn(
                allowance, status: response.status, at: now)
        }
    }

    /// Whole periods are reckoned, the rest is tried out on a copy.
    private func wait(for requests: Int, at origin: Origin, now: Int) -> Int {
        guard requests > 0 else { return 0 }
        var bucket = buckets.withLock { $0[origin] } ?? TokenBucket(limits[origin])
        guard let limit = bucket.limit else { return max(0, bucket.take(at: now) &- now) }
        let periods = (requests - 1) / limit.requests
        var last = now
        for _ in 0..<(requests - periods * limit.requests) { last = bucket.take(at: now) }
        let (whole, isTooLong) = periods.multipliedReportingOverflow(by: limit.milliseconds)
        return isTooLong ? Int.max : (last - now).addingReportingOverflow(whole).partialValue
    }
}
