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
