import LoopbackServer
import Platform
import Testing

@testable import Transport

/// Cancelling the task in which requests are made must end them wherever they are. Every wait below is longer
/// than the time limit, so that a request which is not canceled fails the test by its other error or by time.
@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    /// Starts so many requests, lets `isReached` say when to cancel, and gives the kinds of all errors.
    private func canceled(
        _ count: Int, by sender: some Sender, to origin: String, after isReached: () async -> Void
    ) async throws -> [TransportError.Kind?] {
        let request = try Request.make(origin) { $0.totalMilliseconds = 600_000 }
        let parent = Task {
            await withTaskGroup(of: TransportError.Kind?.self) { group in
                for _ in 0..<count { group.addTask { await failure(of: request, by: sender)?.kind } }
                return await group.reduce(into: [TransportError.Kind?]()) { $0.append($1) }
            }
        }
        await isReached()
        parent.cancel()
        return await parent.value
    }

    @Test func endsWhatIsRunningAndWhatWaitsForAConnection() async throws {
        let server = try FaultServer.start(.stall)
        let client = RetryingClient(Client.make { $0.transfersPerHost = 4 })
        let kinds = try await canceled(200, by: client, to: server.origin) {
            var arrived = 0
            for await _ in server.arrivals {
                arrived += 1
                if arrived == 4 { break }
            }
        }
        #expect(kinds == Array(repeating: .canceled, count: 200))
    }

    @Test func endsWhatIsInTheMiddleOfABody() async throws {
        let server = try FaultServer.start(
            .text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\npart"), .stall)
        let kinds = try await canceled(4, by: Client.make(), to: server.origin) {
            for await number in server.arrivals where number == 4 { break }
        }
        #expect(kinds == Array(repeating: .canceled, count: 4))
    }

    @Test func endsWhatWaitsForTheNextAttempt() async throws {
        let server = try await LoopbackServer.start(
            answering: .text("", status: 503, headers: [("Retry-After", "500")]))
        var policy = RetryPolicy()
        policy.budgetMilliseconds = 3_600_000
        let (sleeps, slept) = AsyncStream<Void>.makeStream()
        var pacing = Pacing.system
        pacing.sleep = { wait in
            slept.yield()
            try await Pacing.system.sleep(wait)
        }
        let client = RetryingClient(Client.make(), policy: policy, pacing: pacing)
        let kinds = try await canceled(3, by: client, to: server.origin) {
            var asleep = 0
            for await _ in sleeps {
                asleep += 1
                if asleep == 3 { break }
            }
        }
        #expect(kinds == Array(repeating: .canceled, count: 3))
        await server.stop()
    }

    @Test func endsWhatWaitsForTheLimit() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let origin = try Address(server.origin).origin
        let (sleeps, slept) = AsyncStream<Void>.makeStream()
        var pacing = Pacing.system
        pacing.sleep = { wait in
            slept.yield()
            try await Pacing.system.sleep(wait)
        }
        let limiter = RateLimiter([origin: RateLimit(1, perSeconds: 250)])
        let client = RateLimitedClient(Client.make(), limiter: limiter, pacing: pacing)
        _ = try await client.send(.make(server.origin))
        let kinds = try await canceled(1, by: client, to: server.origin) { for await _ in sleeps { break } }
        #expect(kinds == [.canceled])
        await server.stop()
    }

    @Test func theClientServesOnAfterwards() async throws {
        let stuck = try FaultServer.start(.stall)
        let good = try await LoopbackServer.start(answering: .text("ok"))
        let client = Client.make { $0.transfers = 2 }
        for _ in 0..<5 {
            _ = try await canceled(6, by: client, to: stuck.origin) {
                for await _ in stuck.arrivals { break }
            }
            #expect(try await client.send(.make(good.origin)).text == "ok")
        }
        await good.stop()
    }

    @Test func anInterruptEndsEverythingAndTheWorkMayReport() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let server = try FaultServer.start(.stall)
            let client = RetryingClient(Client.make())
            let request = try Request.make(server.origin) { $0.totalMilliseconds = 600_000 }
            let kinds = await interruptible {
                await withTaskGroup(of: TransportError.Kind?.self) { group in
                    for _ in 0..<20 { group.addTask { await failure(of: request, by: client)?.kind } }
                    for await _ in server.arrivals { break }
                    kill(getpid(), SIGINT)
                    return await group.reduce(into: [TransportError.Kind?]()) { $0.append($1) }
                }
            }
            exit(kinds == Array(repeating: .canceled, count: 20) ? 42 : 1)
        }
    }

    /// A signal may come with the first step of the work, on however slow a machine.
    @Test func anInterruptAtTheStartCancels() async {
        await #expect(processExitsWith: .exitCode(42)) {
            for _ in 0..<200 {
                await interruptible {
                    kill(getpid(), SIGINT)
                    while !Task.isCancelled { await Task.yield() }
                }
            }
            exit(42)
        }
    }

    @Test func aSecondInterruptEndsTheProgram() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            await interruptible {
                kill(getpid(), SIGINT)
                while !Task.isCancelled { await Task.yield() }
                // The usual way is back very soon after the cancelling, so one of these ends the process.
                for _ in 0..<1000 {
                    kill(getpid(), SIGINT)
                    usleep(1000)
                }
            }
            exit(1)
        }
    }
}
