/// When a request is tried again and how long to wait before.
///
/// The wait is drawn from 0 up to a bound that doubles with each attempt ("full jitter": M. Brooker, AWS
/// Architecture Blog, 2015), unless the server says how long.
package struct RetryPolicy: Hashable, Sendable {
    /// The most attempts, the first included.
    package var attempts = 4
    /// The bound of the first wait, in milliseconds.
    package var baseMilliseconds = 500
    /// The highest bound, in milliseconds; a server's own wish may be longer.
    package var capMilliseconds = 30_000
    /// The most time for all attempts and waits together, in milliseconds.
    package var budgetMilliseconds = 180_000
    /// Statuses worth another attempt.
    package var statuses: Set<Int> = [429, 500, 502, 503, 504]
    /// Failures worth another attempt.
    package var kinds: Set<TransportError.Kind> = [.refused, .reset, .timeout, .truncated]

    /// Four attempts within three minutes.
    package init() {}

    /// Whether this outcome deserves another attempt.
    package func retries(_ outcome: Result<Response, TransportError>) -> Bool {
        switch outcome {
        case .success(let response): statuses.contains(response.status)
        case .failure(let error): kinds.contains(error.kind)
        }
    }

    /// Milliseconds to wait after the attempt with this number (from 1): what the server asked for, otherwise
    /// `random` (0..<1) of the bound.
    package func wait(afterAttempt attempt: Int, serverSeconds: Int?, random: Double) -> Int {
        if let serverSeconds { return min(serverSeconds, Int(Int32.max)) * 1000 }
        let doubled = Double(baseMilliseconds) * Double(1 << min(max(attempt - 1, 0), 30))
        let bound = max(0, min(doubled, Double(min(capMilliseconds, Int(Int32.max)))))
        return Int(bound * (random.isFinite ? min(max(random, 0), 1) : 1))
    }
}
