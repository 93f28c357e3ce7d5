/// Keeps all requests of a run within one budget of time. Files are no requests.
///
/// It belongs above `RetryingClient`, so that attempts and waits are given up too.
package struct BudgetedClient: Sender {
    private let base: any Sender
    private let budget: RunBudget

    /// Lays the budget over another sender.
    package init(_ base: some Sender, budget: RunBudget) {
        self.base = base
        self.budget = budget
    }

    /// Sends, as long as there is time; fails with `.timeBudget` when there is none or it ends meanwhile.
    package func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.address.origin.scheme != .file else { return try await base.send(request) }
        guard !budget.isSpent else { throw notAsked(request) }
        let task = Task { [base] in await Transport.outcome(of: request, from: base) }
        guard let number = budget.begin(task) else {
            task.cancel()
            throw notAsked(request)
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        budget.finish(number)
        do throws(TransportError) {
            return try outcome.get()
        } catch {
            let isEnded = error.kind == .cancelled || error.kind == .rateLimit
            throw isEnded && budget.isSpent ? givenUp(error) : error
        }
    }

    private func notAsked(_ request: Request) -> TransportError {
        var error = TransportError(
            .timeBudget, request.address, doing: "asking \(request.address.origin)", told,
            redaction: request.redaction)
        error.attempts = 0
        return error
    }

    private func givenUp(_ error: TransportError) -> TransportError {
        var error = error
        (error.kind, error.code, error.text) = (.timeBudget, nil, told)
        return error
    }

    private var told: String { "the run had \(budget.milliseconds / 1000) s for all its requests" }
}

private func outcome(
    of request: Request, from base: any Sender
) async -> Result<Response, TransportError> {
    do throws(TransportError) {
        return .success(try await base.send(request))
    } catch {
        return .failure(error)
    }
}
