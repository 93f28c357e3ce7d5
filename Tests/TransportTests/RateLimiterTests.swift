import Diagnostics
import LoopbackServer
import Synchronization
import Testing

@testable import Transport

/// A clock that only sleeping moves.
final class StubClock: Sendable {
    private let time = Mutex(0)
    private let slept = Mutex<[Int]>([])

    var waits: [Int] { slept.withLock { $0 } }

    var pacing: Pacing {
        Pacing(
            now: { 1_700_000_000 + self.time.withLock { $0 } / 1000 }, random: { 0 },
            sleep: { wait in
                self.slept.withLock { $0.append(wait) }
                self.time.withLock { $0 += wait }
            }, milliseconds: { self.time.withLock { $0 } })
    }
}

struct RateLimiterTests {
    private let home = RateLimitKey(Origin(scheme: .https, host: "api.example", port: 443))
    private let other = RateLimitKey(Origin(scheme: .https, host: "other.example", port: 443))

    /// Fields with other names before the usual ones, and one whose value has members.
    private let fields = RateLimitFields(
        remaining: [
            "X-Sentry-Rate-Limit-Remaining", "X-RateLimit-Remaining",
            .init("X-Rate-Limit", member: "user-hour-rem"),
        ], reset: ["X-Sentry-Rate-Limit-Reset", "X-RateLimit-Reset"])

    private func respond(_ status: Int, _ lines: String...) throws -> Response {
        Response(status: status, headers: Headers(received: lines), address: try Address("https://a.b"))
    }

    @Test(arguments: [
        (["X-RateLimit-Remaining: 12", "X-RateLimit-Limit: 30"], RateLimitStatus(remaining: 12)),
        (
            ["X-Sentry-Rate-Limit-Remaining: 3", "X-Sentry-Rate-Limit-Reset: 1700000009"],
            RateLimitStatus(remaining: 3, resetSeconds: 9)
        ),
        (["X-Sentry-Rate-Limit-Reset: 1699999999"], RateLimitStatus(resetSeconds: 0)),
        (["x-ratelimit-reset: 45"], RateLimitStatus(resetSeconds: 45)),
        (["Retry-After: 7"], RateLimitStatus(retrySeconds: 7)),
        (["X-RateLimit-Remaining: -1", "X-RateLimit-Reset: soon", "Retry-After: x"], RateLimitStatus()),
        (["X-RateLimit-Remaining: 99999999999999999999999"], RateLimitStatus()), ([], RateLimitStatus()),
        (["X-Sentry-Rate-Limits: 60:error:key"], RateLimitStatus()),
        (["X-Rate-Limit: user-hour-lim:3600;user-hour-rem:3121;"], RateLimitStatus(remaining: 3121)),
        (["x-rate-limit: user-hour-lim:3600; user-hour-rem:0"], RateLimitStatus(remaining: 0)),
        (["X-Rate-Limit: user-hour-lim:3600;user-hour-rem:-1"], RateLimitStatus()),
        (["X-Rate-Limit: user-hour-rem"], RateLimitStatus()), (["X-Rate-Limit: 12"], RateLimitStatus()),
    ])
    func readsWhatTheServiceSays(lines: [String], expected: RateLimitStatus) throws {
        let response = Response(
            status: 200, headers: Headers(received: lines), address: try Address("https://a.b"))
        #expect(response.rateLimitStatus(fields, now: 1_700_000_000) == expected)
    }

    @Test func waitsForTheServicesPeriodOnlyAfterARefusal() throws {
        let reset = "X-Sentry-Rate-Limit-Reset: 1700000009"
        #expect(try respond(429, reset).requestedWaitSeconds(fields, now: 1_700_000_000) == 9)
        #expect(try respond(429, reset).requestedWaitSeconds(fields, now: 1_700_000_009) == 1)
        #expect(
            try respond(429, reset, "Retry-After: 4").requestedWaitSeconds(fields, now: 1_700_000_000) == 4)
        #expect(try respond(500, reset).requestedWaitSeconds(fields, now: 1_700_000_000) == nil)
        #expect(try respond(429).requestedWaitSeconds(fields, now: 1_700_000_000) == nil)
    }

    @Test func countsPlannedRequestsBeforeTheFirst() {
        let clock = StubClock()
        let limiter = RateLimiter([home.origin: RateLimit(30, perSeconds: 60)], pacing: clock.pacing)
        func seconds(_ requests: Int) -> Int {
            limiter.forecast([(home, requests)]).first.map { $0.milliseconds / 1000 } ?? -1
        }
        #expect([0, 1, 30, 31, 60, 61, 100].map(seconds) == [0, 0, 0, 60, 60, 120, 180])
        #expect(seconds(-5) == 0 && limiter.forecast([(home, .max)])[0].milliseconds > 0)
        for _ in 0..<10 { _ = limiter.reserve(for: home) }
        #expect([20, 21, 50, 51].map(seconds) == [0, 60, 60, 120])
        let forecasts = limiter.forecast([(other, 5), (home, 15), (home, 10)])
        #expect(forecasts.map(\.requests) == [25, 5] && forecasts.map(\.milliseconds) == [60_000, 0])
        #expect(forecasts[1].diagnostic == nil)
        #expect(
            forecasts[0].diagnostic.map(consoleText)
                == """
                note: 25 requests to https://api.example need at least 60 s [transport.rate-forecast]
                  limit: 30 requests in 60 s
                  hint: request less, or allow more time
                """)
    }

    @Test func sendsNoMoreThanTheServiceAdmits() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let clock = StubClock()
        let limits = [try Address(server.origin).origin: RateLimit(2, perSeconds: 10)]
        let client = RateLimitedClient(
            Client.make(), limiter: RateLimiter(limits, pacing: clock.pacing), pacing: clock.pacing)
        for _ in 0..<5 { _ = try await client.send(.make(server.origin)) }
        #expect(clock.waits == [10_000, 10_000])
        await server.stop()
    }

    /// Services count by account: what one has used up, or was refused, says nothing of another.
    @Test func eachAccountHasAnAllowanceOfItsOwn() async throws {
        let server = try await LoopbackServer.start { request in
            request.path == "/refused"
                ? .text("", status: 429, headers: [("Retry-After", "3600")]) : .text("ok")
        }
        let clock = StubClock()
        let limiter = RateLimiter(
            [try Address(server.origin).origin: RateLimit(2, perSeconds: 10)], pacing: clock.pacing)
        let base = RateLimitedClient(Client.make(), limiter: limiter, pacing: clock.pacing)
        let (first, second) = (AccountClient(base, account: "a"), AccountClient(base, account: "b"))
        for _ in 0..<2 { _ = try await first.send(.make(server.origin)) }
        for _ in 0..<2 { _ = try await second.send(.make(server.origin)) }
        #expect(clock.waits == [])
        _ = try await first.send(.make(server.origin))
        #expect(clock.waits == [10_000])
        #expect(try await first.send(.make("\(server.origin)/refused")).status == 429)
        #expect(await failure(of: try .make(server.origin), by: first)?.kind == .rateLimit)
        #expect(try await second.send(.make(server.origin)).text == "ok")
        let origin = try Address(server.origin).origin
        let forecasts = limiter.forecast([
            (RateLimitKey(origin, account: "c"), 3), (RateLimitKey(origin, account: "d"), 2),
            (RateLimitKey(origin, account: "c"), 1),
        ])
        #expect(forecasts.map(\.requests) == [4, 2])
        #expect(forecasts.map(\.milliseconds) == [10_000, 0])
        await server.stop()
    }

    @Test func retriesWaitTogetherWithTheLimiterNotTwice() async throws {
        let turns = Mutex(0)
        let server = try await LoopbackServer.start { _ in
            let turn = turns.withLock { turns in
                turns += 1
                return turns
            }
            return turn == 1
                ? .text("", status: 429, headers: [("X-Sentry-Rate-Limit-Reset", "1700000012")]) : .text("ok")
        }
        let clock = StubClock()
        let limited = RateLimitedClient(
            Client.make(), limiter: RateLimiter(pacing: clock.pacing), pacing: clock.pacing)
        var request = try Request.make(server.origin)
        request.limitFields = fields
        let response = try await RetryingClient(limited, pacing: clock.pacing).send(request)
        #expect(response.text == "ok" && response.attempts == 2 && clock.waits == [12_000])
        await server.stop()
    }

    @Test func failsRatherThanWaitForHours() async throws {
        let server = try await LoopbackServer.start(
            answering: .text("", status: 429, headers: [("Retry-After", "3600")]))
        let clock = StubClock()
        let client = RateLimitedClient(
            Client.make(), limiter: RateLimiter(pacing: clock.pacing), pacing: clock.pacing)
        #expect(try await client.send(.make(server.origin)).status == 429)
        let error = await failure(of: try .make(server.origin), by: client)
        #expect(error?.kind == .rateLimit && error?.text.contains("3600 s") == true && clock.waits.isEmpty)
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test func cancellationGivesTheTokenBack() async throws {
        let pacing = Pacing(now: { 0 }, random: { 0 }, sleep: { _ in throw CancellationError() })
        let limiter = RateLimiter([home.origin: RateLimit(1, perSeconds: 10)], pacing: pacing)
        _ = limiter.reserve(for: home)
        let client = RateLimitedClient(Client.make(), limiter: limiter, pacing: pacing)
        #expect(await failure(of: try .make("https://api.example/"), by: client)?.kind == .canceled)
        #expect(limiter.forecast([(home, 1)]).map(\.milliseconds) == [10_000])
    }

    @Test func theBudgetEndsTheLastAttemptToo() async throws {
        let server = try FaultServer.start(.stall)
        var policy = RetryPolicy()
        policy.budgetMilliseconds = 300
        let client = RetryingClient(
            Client.make(), policy: policy, pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
        let error = try #require(await failure(of: .make(server.origin), by: client))
        // One attempt of 20 s would be allowed by the request's own limit.
        #expect(error.kind == .timeout && error.milliseconds < 10_000)
    }
}
