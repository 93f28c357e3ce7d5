import Platform

/// Sends a request again when its outcome deserves it and sending it twice does no harm.
///
/// All attempts and waits together keep to the policy's budget; a late attempt is given what is left of it.
/// A service that fails again and again, over all requests of a run, gets no more requests (`.outage`).
package struct RetryingClient: Sender {
    private let base: any Sender
    private let policy: RetryPolicy
    private let pacing: Pacing
    private let breaker: CircuitBreaker
    private let budget: RunBudget?

    /// Lays the policy over another sender. No wait is begun that the run's budget would end.
    package init(
        _ base: some Sender, policy: RetryPolicy = RetryPolicy(), pacing: Pacing = .system,
        budget: RunBudget? = nil
    ) {
        self.budget = budget
        self.base = base
        self.policy = policy
        self.pacing = pacing
        breaker = CircuitBreaker(policy)
    }

    /// Returns the last attempt's response or throws its error, with the number of attempts in it.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        var spent = 0
        var attempt = 1
        if let why = breaker.refusal(at: request.address.origin) { throw outage(request, why) }
        var last: Result<Response, TransportError>?
        while true {
            let outcome = await outcome(of: shortened(request, spent: spent))
            // A recording that ends here shows that the attempts ended here, for time or an outage.
            if case .failure(let error) = outcome, error.kind == .notRecorded, let last {
                return try last.get()
            }
            spent += outcome.milliseconds
            let wait = wait(after: outcome, of: request, attempt: attempt, spent: spent)
            report(outcome, of: request, endsRequest: wait == nil)
            let stamped = outcome.stamped(attempts: attempt, milliseconds: spent)
            guard let wait, !isOut(request) else { return try stamped.get() }
            do {
                try await pacing.sleep(wait)
            } catch {
                throw canceled(request, attempts: attempt, milliseconds: spent)
            }
            // Others may have found out meanwhile that the service is down.
            guard !isOut(request) else { return try stamped.get() }
            spent += wait
            attempt += 1
            last = stamped
        }
    }

    /// The request with no more time than the budget leaves.
    private func shortened(_ request: Request, spent: Int) -> Request {
        var request = request
        let left = max(1, policy.budgetMilliseconds &- spent)
        request.limits.totalMilliseconds = min(request.limits.totalMilliseconds, left)
        return request
    }

    private func outcome(of request: Request) async -> Result<Response, TransportError> {
        do throws(TransportError) {
            return .success(try await base.send(request))
        } catch {
            return .failure(error)
        }
    }

    /// Nil when no further attempt is made: it is not worth it, might do harm, or would leave nothing of the
    /// budget.
    private func wait(
        after outcome: Result<Response, TransportError>, of request: Request, attempt: Int, spent: Int
    ) -> Int? {
        guard request.isIdempotent, request.isRetried, attempt < policy.attempts, policy.retries(outcome)
        else { return nil }
        let wanted = (try? outcome.get())?.requestedWaitSeconds(request.limitFields, now: pacing.now())
        let wait = policy.wait(afterAttempt: attempt, serverSeconds: wanted, random: pacing.random())
        let left = min(policy.budgetMilliseconds &- spent, budget?.left ?? Int.max)
        return wait < left ? wait : nil
    }

    private func canceled(_ request: Request, attempts: Int, milliseconds: Int) -> TransportError {
        var error = TransportError(
            .canceled, request.address, doing: "waiting for the next attempt", redaction: request.redaction)
        (error.attempts, error.milliseconds, error.isBetweenRequests) = (attempts, milliseconds, true)
        return error
    }
}

// MARK: Outages

extension RetryingClient {
    private func isOut(_ request: Request) -> Bool {
        breaker.refusal(at: request.address.origin) != nil
    }

    /// What is neither a response nor a fault that may pass says nothing of the service. One that speaks for itself is
    /// there, whatever the status. That there are too many requests (429) is said to one caller, whose account or project has
    /// a limit of its own: it is neither a good response nor a failure.
    private func report(
        _ outcome: Result<Response, TransportError>, of request: Request, endsRequest: Bool
    ) {
        let origin = request.address.origin
        guard origin.scheme != .file else { return }
        if case .success(let response) = outcome,
            !policy.retries(outcome) || request.ownRefusals.include(response)
        {
            breaker.answered(at: origin)
        } else if policy.retries(outcome), !outcome.isLimit {
            breaker.failed(at: origin, outcome.reason, endsRequest: endsRequest && request.attempt == 1)
        }
    }

    private func outage(_ request: Request, _ why: String) -> TransportError {
        var error = TransportError(
            .outage, request.address, doing: "requesting \(request.address.origin)", why,
            redaction: request.redaction)
        error.attempts = 0
        return error
    }
}

extension Result<Response, TransportError> {
    /// Whether the service says that there are too many requests (RFC 6585 §4).
    fileprivate var isLimit: Bool {
        if case .success(let response) = self { response.status == 429 } else { false }
    }

    fileprivate var milliseconds: Int {
        switch self {
        case .success(let response): response.milliseconds
        case .failure(let error): error.milliseconds
        }
    }

    fileprivate var reason: String {
        switch self {
        case .success(let response): "status \(response.status)"
        case .failure(let error): [error.code, error.text].compactMap { $0 }.joined(separator: ": ")
        }
    }

    fileprivate func stamped(attempts: Int, milliseconds: Int) -> Self {
        switch self {
        case .success(var response):
            (response.attempts, response.milliseconds) = (attempts, milliseconds)
            return .success(response)
        case .failure(var error):
            (error.attempts, error.milliseconds) = (attempts, milliseconds)
            return .failure(error)
        }
    }
}

/// Clocks, chance and sleep for retries and limits, given from outside so that tests need none of them.
package struct Pacing: Sendable {
    /// Seconds since 1970, UTC.
    package var now: @Sendable () -> Int
    /// A number of 0..<1.
    package var random: @Sendable () -> Double
    /// Waits so many milliseconds; throws when the task is canceled.
    package var sleep: @Sendable (_ milliseconds: Int) async throws -> Void
    /// Milliseconds since any fixed moment; never goes back.
    package var milliseconds: @Sendable () -> Int

    /// A pacing of these; without a clock of milliseconds, the one of seconds serves.
    package init(
        now: @escaping @Sendable () -> Int, random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (_ milliseconds: Int) async throws -> Void,
        milliseconds: (@Sendable () -> Int)? = nil
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
        self.milliseconds = milliseconds ?? { now() &* 1000 }
    }

    /// The system's clock, chance and sleep.
    package static let system = Pacing(
        now: { time(nil) }, random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) }, milliseconds: uptime)
}

private func uptime() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec &* 1000 &+ time.tv_nsec / 1_000_000
}

/// When a request is tried again and how long to wait before.
///
/// The wait is drawn from 0 up to a bound that doubles with each attempt ("full jitter": M. Brooker, AWS
/// Architecture Blog, 2015); the server may request a longer one.
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
    /// After so many requests in a row that failed with all their attempts, an origin gets no more requests.
    package var failedRequestsInARow = 3
    /// Statuses worth another attempt.
    package var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Failures worth another attempt.
    package var kinds: Set<TransportError.Kind> = [.refused, .reset, .timeout, .truncated]

    /// Ten attempts within five minutes.
    package init() {}

    /// After so many failed attempts in a row an origin gets no more requests, whatever requests they belong
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
    /// less than the server requested (RFC 9110 §10.2.3).
    package func wait(afterAttempt attempt: Int, serverSeconds: Int?, random: Double) -> Int {
        let asked = min(max(serverSeconds ?? 0, 0), Int(Int32.max)) * 1000
        let doubled = Double(baseMilliseconds) * Double(1 << min(max(attempt - 1, 0), 30))
        let bound = max(0, min(doubled, Double(min(capMilliseconds, Int(Int32.max)))))
        return max(asked, Int(bound * (random.isFinite ? min(max(random, 0), 1) : 1)))
    }
}
