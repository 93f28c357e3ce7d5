/// Sends a request again when its outcome deserves it and asking twice does no harm.
///
/// All attempts and waits together keep to the policy's budget; a late attempt is given what is left of it.
/// A service that fails again and again, over all requests of a run, is not asked any more (`.outage`).
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

    /// Returns the last attempt's answer or throws its error, with the number of attempts in it.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        var spent = 0
        var attempt = 1
        if let why = breaker.refusal(at: request.address.origin) { throw outage(request, why) }
        var last: Result<Response, TransportError>?
        while true {
            let outcome = await outcome(of: shortened(request, spent: spent))
            // A recording that ends here tells that the attempts ended here, for time or an outage.
            if case .failure(let error) = outcome, error.kind == .notRecorded, let last {
                return try last.get()
            }
            spent += outcome.milliseconds
            let wait = wait(after: outcome, of: request, attempt: attempt, spent: spent)
            tell(outcome, of: request, endsRequest: wait == nil)
            let stamped = outcome.stamped(attempts: attempt, milliseconds: spent)
            guard let wait, !isOut(request) else { return try stamped.get() }
            do {
                try await pacing.sleep(wait)
            } catch {
                throw cancelled(request, attempts: attempt, milliseconds: spent)
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
        guard request.isIdempotent, attempt < policy.attempts, policy.retries(outcome) else { return nil }
        let wanted = (try? outcome.get())?.requestedWaitSeconds(request.limitFields, now: pacing.now())
        let wait = policy.wait(afterAttempt: attempt, serverSeconds: wanted, random: pacing.random())
        let left = min(policy.budgetMilliseconds &- spent, budget?.left ?? Int.max)
        return wait < left ? wait : nil
    }

    private func cancelled(_ request: Request, attempts: Int, milliseconds: Int) -> TransportError {
        var error = TransportError(
            .cancelled, request.address, doing: "waiting for the next attempt", redaction: request.redaction)
        (error.attempts, error.milliseconds) = (attempts, milliseconds)
        return error
    }
}

// MARK: Outages

extension RetryingClient {
    private func isOut(_ request: Request) -> Bool {
        breaker.refusal(at: request.address.origin) != nil
    }

    /// What is neither an answer nor a fault that may pass says nothing of the service.
    private func tell(
        _ outcome: Result<Response, TransportError>, of request: Request, endsRequest: Bool
    ) {
        let origin = request.address.origin
        guard origin.scheme != .file else { return }
        if policy.retries(outcome) {
            breaker.failed(at: origin, outcome.reason, endsRequest: endsRequest)
        } else if case .success = outcome {
            breaker.answered(at: origin)
        }
    }

    private func outage(_ request: Request, _ why: String) -> TransportError {
        var error = TransportError(
            .outage, request.address, doing: "asking \(request.address.origin)", why,
            redaction: request.redaction)
        error.attempts = 0
        return error
    }
}

extension Result<Response, TransportError> {
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
