import Synchronization

/// The buckets of all accounts at all origins that one run asks.
package final class RateLimiter: Sendable {
    private let limits: [Origin: RateLimit]
    private let pacing: Pacing
    private let buckets = Mutex<[Asker: TokenBucket]>([:])

    /// A limiter for these origins; of others it only heeds what they say.
    package init(_ limits: [Origin: RateLimit] = [:], pacing: Pacing = .system) {
        self.limits = limits
        self.pacing = pacing
    }

    /// What so many requests of each asker would take, before the first is sent; sorted by origin and account.
    /// Takes no token.
    package func forecast(_ planned: [(asker: Asker, requests: Int)]) -> [RateForecast] {
        let now = pacing.milliseconds()
        let counts = planned.reduce(into: [Asker: Int]()) { counts, plan in
            let sum = (counts[plan.asker] ?? 0).addingReportingOverflow(max(0, plan.requests))
            counts[plan.asker] = sum.overflow ? Int.max : sum.partialValue
        }
        return counts.map { asker, requests in
            RateForecast(
                asker: asker, requests: requests, limit: limits[asker.origin],
                milliseconds: wait(for: requests, of: asker, now: now))
        }
        .sorted {
            ($0.origin.description, $0.asker.account) < ($1.origin.description, $1.asker.account)
        }
    }

    /// Takes a token; gives the moment from which the request may be sent, on the pacing's clock.
    func take(for asker: Asker) -> Int {
        let now = pacing.milliseconds()
        return buckets.withLock { $0[asker, default: TokenBucket(limits[asker.origin])].take(at: now) }
    }

    func giveBack(_ start: Int, of asker: Asker) {
        buckets.withLock { $0[asker]?.giveBack(startedAt: start) }
    }

    /// How long a request with this moment has still to wait, in milliseconds; 0 when it may go.
    func wait(until start: Int, for asker: Asker) -> Int {
        let now = pacing.milliseconds()
        let reopening = buckets.withLock { $0[asker]?.reopening(after: now) }
        return max(0, max(start, reopening ?? start) &- now)
    }

    func learn(from response: Response, to asker: Asker) {
        let now = pacing.milliseconds()
        let allowance = response.allowance(now: pacing.now())
        buckets.withLock { buckets in
            buckets[asker, default: TokenBucket(limits[asker.origin])].learn(
                allowance, status: response.status, at: now)
        }
    }

    /// Whole periods are reckoned, the rest is tried out on a copy.
    private func wait(for requests: Int, of asker: Asker, now: Int) -> Int {
        guard requests > 0 else { return 0 }
        var bucket = buckets.withLock { $0[asker] } ?? TokenBucket(limits[asker.origin])
        guard let limit = bucket.limit else { return max(0, bucket.take(at: now) &- now) }
        let periods = (requests - 1) / limit.requests
        var last = now
        for _ in 0..<(requests - periods * limit.requests) { last = bucket.take(at: now) }
        let (whole, isTooLong) = periods.multipliedReportingOverflow(by: limit.milliseconds)
        return isTooLong ? Int.max : (last - now).addingReportingOverflow(whole).partialValue
    }
}
