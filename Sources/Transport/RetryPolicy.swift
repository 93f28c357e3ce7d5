/// When a request is tried again and how long to wait before.
///
/// The wait is drawn from 0 up to a bound that doubles with each attempt ("full jitter": M. Brooker, AWS
/// Architecture Blog, 2015); the server may ask for a longer one.
///
/// The numbers: when each attempt fails by chance with probability p, a request fails with p^10, and at least
/// one of N requests with at most N·p^10. For p = 0.3 that is 6·10⁻⁶ a request, so 1 of 1,700 runs of 100
/// requests and 1 of 170 runs of 1,000. Four attempts, as is usual, would lose something in 56 of 100 runs of
/// 100 requests. Ten attempts wait one minute on average and two at most, which leaves three of the five
/// minutes to the attempts themselves. Thirty failures in a row happen by chance with 0.3^30, that is never.
package struct RetryPolicy: Hashable, Sendable {
    /// The most attempts, the first included.
    package var attempts = 10
    /// The bound of the first wait, in milliseconds.
    package var baseMilliseconds = 500
    /// The highest bound, in milliseconds; a server's own wish may be longer.
    package var capMilliseconds = 30_000
    /// The most time for all attempts and waits together, in milliseconds.
    package var budgetMilliseconds = 300_000
    /// After so many requests in a row that failed with all their attempts, an origin is not asked any more.
    package var failedRequestsInARow = 3
    /// Statuses worth another attempt.
    package var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Failures worth another attempt.
    package var kinds: Set<TransportError.Kind> = [.refused, .reset, .timeout, .truncated]

    /// Ten attempts within five minutes.
    package init() {}

    /// After so many failed attempts in a row an origin is not asked any more, whatever requests they belong
    /// to: many that run at once may not add up to more than those that run one after the other.
    package var failedAttemptsInARow: Int {
        let (product, isTooLarge) = max(attempts, 1).multipliedReportingOverflow(by: failedRequestsInARow)
        return isTooLarge ? Int.max : product
    }

    /// Whether this outcome deserves another attempt.
    package func retries(_ outcome: Result<Response, TransportError>) -> Bool {
        switch outcome {
        case .success(let response): statuses.contains(response.status)
        case .failure(let error): kinds.contains(error.kind)
        }
    }

    /// Milliseconds to wait after the attempt with this number (from 1): `random` (0..<1) of the bound, and no
    /// less than the server asked for (RFC 9110 §10.2.3).
    package func wait(afterAttempt attempt: Int, serverSeconds: Int?, random: Double) -> Int {
        let asked = min(max(serverSeconds ?? 0, 0), Int(Int32.max)) * 1000
        let doubled = Double(baseMilliseconds) * Double(1 << min(max(attempt - 1, 0), 30))
        let bound = max(0, min(doubled, Double(min(capMilliseconds, Int(Int32.max)))))
        return max(asked, Int(bound * (random.isFinite ? min(max(random, 0), 1) : 1)))
    }
}
