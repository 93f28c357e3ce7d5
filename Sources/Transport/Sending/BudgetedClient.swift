import Synchronization

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
        guard !budget.isSpent else { throw notSent(request) }
        let task = Task { [base] in await Transport.outcome(of: request, from: base) }
        guard let number = budget.begin(task) else {
            task.cancel()
            throw notSent(request)
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
            let isEnded = error.kind == .canceled || error.kind == .rateLimit
            throw isEnded && budget.isSpent ? givenUp(error) : error
        }
    }

    private func notSent(_ request: Request) -> TransportError {
        var error = TransportError(
            .timeBudget, request.address, doing: "requesting \(request.address.origin)", reason,
            redaction: request.redaction)
        error.attempts = 0
        return error
    }

    private func givenUp(_ error: TransportError) -> TransportError {
        var error = error
        (error.kind, error.code, error.text) = (.timeBudget, nil, reason)
        return error
    }

    private var reason: String { "the run had \(budget.milliseconds / 1000) s for all its requests" }
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

/// Whatever can send a request: the client, a layer over it, or a stub.
package protocol Sender: Sendable {
    /// Sends the request and returns the response, whatever its status.
    func send(_ request: Request) async throws(TransportError) -> Response
}

/// Stops querying a service that gives no good response any more ("circuit breaker": M. Nygard, Release It!,
/// 2007).
///
/// It counts for each origin, over all tasks of a run, how many attempts and how many whole requests failed in
/// a row; one good response begins again. Once open it stays open: a run is short, and the next one tries again.
final class CircuitBreaker: Sendable {
    private struct Record {
        var attempts = 0
        var requests = 0
        var last = ""
        var isOpen = false
    }

    private let policy: RetryPolicy
    private let records = Mutex<[Origin: Record]>([:])

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// Why the origin gets no more requests, such as `30 attempts in a row failed, the last: status 503`; nil
    /// while it gets requests.
    func refusal(at origin: Origin) -> String? {
        records.withLock { records in
            guard let record = records[origin], record.isOpen else { return nil }
            return "\(record.attempts) attempts in a row failed, the last: \(record.last)"
        }
    }

    /// The service gave a response that deserves no further attempt.
    func answered(at origin: Origin) {
        records.withLock { records in
            guard records[origin]?.isOpen != true else { return }
            records[origin] = nil
        }
    }

    /// An attempt failed; `endsRequest` when no other follows for its request.
    func failed(at origin: Origin, _ why: String, endsRequest: Bool) {
        records.withLock { records in
            var record = records[origin, default: Record()]
            record.attempts += 1
            record.requests += endsRequest ? 1 : 0
            record.last = why
            record.isOpen =
                record.isOpen || record.attempts >= policy.failedAttemptsInARow
                || record.requests >= policy.failedRequestsInARow
            records[origin] = record
        }
    }
}

/// The time that all requests of a run have together.
///
/// When it is spent, requests that are under way are given up and no other one starts (`.timeBudget`). Nothing
/// else is stopped: what has come by then can be read and kept.
package final class RunBudget: Sendable {
    private struct State {
        var isSpent = false
        var next = 0
        var running: [Int: Task<Result<Response, TransportError>, Never>] = [:]
    }

    /// Milliseconds in all.
    package let milliseconds: Int
    private let end: Int
    private let pacing: Pacing
    private let state = Mutex(State())

    /// A budget that begins now.
    package init(milliseconds: Int, pacing: Pacing = .system) {
        self.milliseconds = max(0, milliseconds)
        self.pacing = pacing
        (end, _) = pacing.milliseconds().addingReportingOverflow(self.milliseconds)
    }

    /// Milliseconds that are left, 0 when it is spent.
    package var left: Int { isSpent ? 0 : max(0, end &- pacing.milliseconds()) }

    /// Whether nothing more is sent.
    package var isSpent: Bool { state.withLock { $0.isSpent } }

    /// Waits until the time is over and gives up what is under way; a task that is canceled stops waiting.
    package func watch() async {
        guard (try? await pacing.sleep(left)) != nil else { return }
        spend()
    }

    /// Ends the time now.
    package func spend() {
        let running = state.withLock { state in
            state.isSpent = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
    }

    /// Notes a request that is under way; nil when the time is spent.
    func begin(_ task: Task<Result<Response, TransportError>, Never>) -> Int? {
        state.withLock { state in
            guard !state.isSpent else { return nil }
            state.next += 1
            state.running[state.next] = task
            return state.next
        }
    }

    func finish(_ number: Int) {
        state.withLock { $0.running[number] = nil }
    }
}
