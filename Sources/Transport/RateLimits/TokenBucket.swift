/// The tokens of one origin: each request takes one, which comes back a period later.
///
/// So no span of a period holds more requests than the limit, wherever the service's own period begins. A
/// bucket that fills drop by drop admits up to twice the limit in its first period.
struct TokenBucket: Sendable {
    /// Nil counts nothing; the bucket then only heeds what the service says.
    let limit: RateLimit?
    /// When each token that is out comes back, in order, in milliseconds.
    private var returns: [Int] = []
    private var closedUntil = Int.min

    init(_ limit: RateLimit?) {
        self.limit = limit
    }

    /// Reserves a token and says when the request may start; that may be before `now`, never after a token that
    /// was reserved later.
    mutating func reserve(at now: Int) -> Int {
        var start = max(now, closedUntil)
        guard let limit else { return start }
        returns.removeFirst(returns.prefix { $0 <= now }.count)
        if returns.count >= limit.requests { start = max(start, returns[returns.count - limit.requests]) }
        insert(start &+ limit.milliseconds)
        return start
    }

    /// Gives back the token of a request that was never sent.
    mutating func giveBack(startedAt start: Int) {
        guard let limit, let index = returns.lastIndex(of: start &+ limit.milliseconds) else { return }
        returns.remove(at: index)
    }

    /// Whether the service has closed the door since, and until when.
    func reopening(after now: Int) -> Int? {
        closedUntil > now ? closedUntil : nil
    }

    /// Heeds what a response says.
    mutating func learn(_ limitStatus: RateLimitStatus, httpStatus status: Int, at now: Int) {
        let reset = limitStatus.resetSeconds.map { now &+ milliseconds($0) }
        if let wait = limitStatus.retrySeconds, status == 429 || status == 503 {
            close(until: now &+ milliseconds(wait))
        } else if status == 429 || limitStatus.remaining == 0 {
            // Without a word on the end, a service that refused is left alone for a second at least.
            close(until: max(reset ?? now, status == 429 ? now &+ 1000 : now))
        }
        if let remaining = limitStatus.remaining { hold(all: remaining, until: reset, at: now) }
    }

    /// Keeps no more tokens than the service has left.
    private mutating func hold(all remaining: Int, until reset: Int?, at now: Int) {
        guard let limit else { return }
        returns.removeFirst(returns.prefix { $0 <= now }.count)
        let free = limit.requests - returns.count
        guard free > remaining else { return }
        let end = max(now &+ 1, reset ?? now &+ limit.milliseconds)
        for _ in remaining..<free { insert(end) }
    }

    private mutating func close(until end: Int) {
        closedUntil = max(closedUntil, end)
    }

    private mutating func insert(_ end: Int) {
        returns.insert(end, at: returns.lastIndex { $0 <= end }.map { $0 + 1 } ?? 0)
    }
}

private func milliseconds(_ seconds: Int) -> Int {
    min(max(seconds, 0), Int(Int32.max)) * 1000
}

/// Whose requests a service counts together: an account at an origin. Two tokens have a limit each.
package struct RateLimitKey: Hashable, Sendable {
    /// Who gets the request.
    package var origin: Origin
    /// What distinguishes the account from others, such as a fingerprint of its credential; empty without one. Holds no
    /// secret.
    package var account: String

    /// An account at an origin.
    package init(_ origin: Origin, account: String = "") {
        self.origin = origin
        self.account = account
    }
}

/// How many requests a service admits in a period of time.
package struct RateLimit: Hashable, Sendable {
    /// Requests in a period, 1…100,000.
    package let requests: Int
    /// The period in milliseconds, from 1 up to a day.
    package let milliseconds: Int

    /// So many requests in so many seconds; what lies outside the ranges above is brought to their ends.
    package init(_ requests: Int, perSeconds seconds: Int) {
        self.requests = min(max(requests, 1), 100_000)
        self.milliseconds = min(max(seconds, 1), 86_400) * 1000
    }
}

extension RateLimit: CustomStringConvertible {
    /// `30 requests in 60 s`.
    package var description: String { "\(requests) requests in \(milliseconds / 1000) s" }
}
