/// Holds each request back until its origin's limit for its account admits it.
///
/// It belongs below `RetryingClient`, so that every attempt counts.
package struct RateLimitedClient: Sender {
    private let base: any Sender
    private let limiter: RateLimiter
    private let pacing: Pacing
    private let mostMilliseconds: Int
    private let budget: RunBudget?

    /// Lays the limiter over another sender. A request that would have to wait longer than
    /// `mostMilliseconds`, or than the run's budget lasts, fails with `.rateLimit` at once.
    package init(
        _ base: some Sender, limiter: RateLimiter, pacing: Pacing = .system, mostMilliseconds: Int = 300_000,
        budget: RunBudget? = nil
    ) {
        self.budget = budget
        self.base = base
        self.limiter = limiter
        self.pacing = pacing
        self.mostMilliseconds = mostMilliseconds
    }

    /// Waits for its turn, sends, and heeds what the response says of the limit. Files know no limit.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        let key = RateLimitKey(request.address.origin, account: request.account)
        guard key.origin.scheme != .file else { return try await base.send(request) }
        try await waitForTurn(request, of: key)
        let response = try await base.send(request)
        limiter.learn(from: response, fields: request.limitFields, for: key)
        return response
    }

    private func waitForTurn(_ request: Request, of key: RateLimitKey) async throws(TransportError) {
        let start = limiter.reserve(for: key)
        var waited = 0
        while case let wait = limiter.wait(until: start, for: key), wait > 0 {
            guard wait <= min(mostMilliseconds &- waited, budget?.left ?? Int.max) else {
                limiter.giveBack(start, of: key)
                throw failure(
                    .rateLimit, request, "\(key.origin) wants \(wait / 1000) s more before the next request"
                )
            }
            do {
                try await pacing.sleep(wait)
            } catch {
                limiter.giveBack(start, of: key)
                throw failure(.canceled, request)
            }
            waited += wait
        }
    }

    private func failure(
        _ kind: TransportError.Kind, _ request: Request, _ text: String = ""
    ) -> TransportError {
        var error = TransportError(
            kind, request.address, doing: "waiting for the service's limit", text,
            redaction: request.redaction)
        error.isBetweenRequests = true
        return error
    }
}
