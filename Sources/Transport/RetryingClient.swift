/// Sends a request again when its outcome deserves it and asking twice does no harm.
///
/// All attempts and waits together keep to the policy's budget; a late attempt is given what is left of it.
package struct RetryingClient: Sender {
    private let base: any Sender
    private let policy: RetryPolicy
    private let pacing: Pacing

    /// Lays the policy over another sender.
    package init(_ base: some Sender, policy: RetryPolicy = RetryPolicy(), pacing: Pacing = .system) {
        self.base = base
        self.policy = policy
        self.pacing = pacing
    }

    /// Returns the last attempt's answer or throws its error, with the number of attempts in it.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        var spent = 0
        var attempt = 1
        while true {
            let outcome = await outcome(of: shortened(request, spent: spent))
            spent += outcome.milliseconds
            guard request.isIdempotent, attempt < policy.attempts, policy.retries(outcome),
                let wait = wait(after: outcome, attempt: attempt, spent: spent)
            else { return try outcome.stamped(attempts: attempt, milliseconds: spent).get() }
            do {
                try await pacing.sleep(wait)
            } catch {
                throw cancelled(request, attempts: attempt, milliseconds: spent)
            }
            spent += wait
            attempt += 1
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

    /// Nil when the wait would leave nothing of the budget.
    private func wait(after outcome: Result<Response, TransportError>, attempt: Int, spent: Int) -> Int? {
        let asked = (try? outcome.get())?.askedWaitSeconds(now: pacing.now())
        let wait = policy.wait(afterAttempt: attempt, serverSeconds: asked, random: pacing.random())
        return wait < policy.budgetMilliseconds &- spent ? wait : nil
    }

    private func cancelled(_ request: Request, attempts: Int, milliseconds: Int) -> TransportError {
        var error = TransportError(
            .cancelled, request.address, doing: "waiting for the next attempt", redaction: request.redaction)
        (error.attempts, error.milliseconds) = (attempts, milliseconds)
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
