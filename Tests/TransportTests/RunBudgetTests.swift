import Diagnostics
import LoopbackServer
import Synchronization
import Testing

@testable import Transport

/// The time of a run ends by word of the test, or by a clock that it sets: nothing here waits for one.
@Suite(.timeLimit(.minutes(10)))
struct RunBudgetTests {
    private func budgeted(_ base: some Sender, _ budget: RunBudget) -> BudgetedClient {
        BudgetedClient(base, budget: budget)
    }

    /// The errors of so many requests, when the budget is spent as soon as the server has been reached.
    private func errors(
        _ count: Int, by sender: some Sender, to origin: String, spending budget: RunBudget,
        after isReached: () async -> Void
    ) async throws -> [TransportError?] {
        let request = try Request.make(origin) { $0.totalMilliseconds = 600_000 }
        let parent = Task {
            await withTaskGroup(of: TransportError?.self) { group in
                for _ in 0..<count { group.addTask { await failure(of: request, by: sender) } }
                return await group.reduce(into: [TransportError?]()) { $0.append($1) }
            }
        }
        await isReached()
        budget.spend()
        return await parent.value
    }

    @Test func endsWhatIsRunningAndWhatWaitsForAConnection() async throws {
        let server = try FaultServer.start(.stall)
        let budget = RunBudget(milliseconds: 7000)
        let client = budgeted(RetryingClient(Client.make { $0.transfersPerHost = 4 }, budget: budget), budget)
        let errors = try await errors(50, by: client, to: server.origin, spending: budget) {
            for await number in server.arrivals where number == 4 { break }
        }
        #expect(
            errors.allSatisfy {
                $0?.kind == .timeBudget && $0?.text == "the run had 7 s for all its requests"
            })
        // Nothing that begins later is sent.
        let late = await failure(of: try .make(server.origin), by: client)
        #expect(late?.kind == .timeBudget && late?.attempts == 0)
        #expect(
            late?.diagnostic.hints == [
                "raise 'timeBudget' in the configuration, or fetch fewer apps in one run"
            ])
        #expect(late?.endsRun == true)
    }

    @Test func endsABodyThatTrickles() async throws {
        let server = try FaultServer.start(
            .text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\npart"), .stall)
        let budget = RunBudget(milliseconds: 5000)
        let errors = try await errors(
            2, by: budgeted(Client.make(), budget), to: server.origin, spending: budget
        ) {
            for await number in server.arrivals where number == 2 { break }
        }
        #expect(errors.map { $0?.kind } == [.timeBudget, .timeBudget])
    }

    @Test func endsAWaitForTheNextAttempt() async throws {
        let server = try await LoopbackServer.start(answering: .text("", status: 503))
        let (sleeps, slept) = AsyncStream<Void>.makeStream()
        var pacing = Pacing.system
        pacing.sleep = { _ in
            slept.yield()
            try await Pacing.system.sleep(600_000)
        }
        let budget = RunBudget(milliseconds: 300_000)
        let client = budgeted(RetryingClient(Client.make(), pacing: pacing, budget: budget), budget)
        let errors = try await errors(1, by: client, to: server.origin, spending: budget) {
            for await _ in sleeps { break }
        }
        #expect(errors.map { $0?.kind } == [.timeBudget])
        #expect(errors.first??.attempts == 1)
        await server.stop()
    }

    /// A wait that would outlast the run is not begun: the response that demanded it is given at once.
    @Test func noWaitBeginsThatOutlastsTheRun() async throws {
        let server = try await LoopbackServer.start(
            answering: .text("", status: 503, headers: [("Retry-After", "500")]))
        let pacing = Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }, milliseconds: { 0 })
        var policy = RetryPolicy()
        policy.budgetMilliseconds = 36_000_000
        for (seconds, attempts) in [(499, 1), (501, 10)] {
            let budget = RunBudget(milliseconds: seconds * 1000, pacing: pacing)
            let client = RetryingClient(Client.make(), policy: policy, pacing: pacing, budget: budget)
            let response = try await budgeted(client, budget).send(.make(server.origin))
            #expect(response.attempts == attempts)
        }
        let origin = try Address(server.origin).origin
        let limiter = RateLimiter([origin: RateLimit(1, perSeconds: 60)], pacing: pacing)
        let budget = RunBudget(milliseconds: 59_999, pacing: pacing)
        let limited = RateLimitedClient(Client.make(), limiter: limiter, pacing: pacing, budget: budget)
        _ = try await limited.send(.make(server.origin))
        #expect(await failure(of: try .make(server.origin), by: limited)?.kind == .rateLimit)
        await server.stop()
    }

    @Test func theClockSpendsIt() async {
        let slept = Mutex<[Int]>([])
        let pacing = Pacing(
            now: { 0 }, random: { 0 }, sleep: { wait in slept.withLock { $0.append(wait) } },
            milliseconds: { 40 })
        let budget = RunBudget(milliseconds: 2000, pacing: pacing)
        #expect(budget.left == 2000 && !budget.isSpent)
        await budget.watch()
        #expect(slept.withLock { $0 } == [2000])
        #expect(budget.left == 0 && budget.isSpent)
    }

    @Test func aWatchThatIsCalledOffSpendsNothing() async {
        let budget = RunBudget(milliseconds: 600_000)
        let watch = Task { await budget.watch() }
        watch.cancel()
        await watch.value
        #expect(!budget.isSpent)
    }

    /// A request that is called off by its own task is not reported to lack time.
    @Test func cancellingStaysCancelling() async throws {
        let server = try FaultServer.start(.stall)
        let client = budgeted(Client.make(), RunBudget(milliseconds: 600_000))
        let request = try Request.make(server.origin) { $0.totalMilliseconds = 600_000 }
        let task = Task { await failure(of: request, by: client)?.kind }
        for await _ in server.arrivals { break }
        task.cancel()
        #expect(await task.value == .canceled)
    }
}
