import LoopbackServer
import Synchronization
import Testing

@testable import Transport

struct RetryTests {
    /// Responds with each status in turn, the last for ever, and records how long was slept.
    private final class Rehearsal: Sendable {
        let statuses: Mutex<[Int]>
        let waits = Mutex<[Int]>([])
        let headers: [(name: String, value: String)]

        init(_ statuses: [Int], headers: [(name: String, value: String)] = []) {
            self.statuses = Mutex(statuses)
            self.headers = headers
        }

        func answer() -> StubResponse {
            let status = statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return StubResponse(status: status, headers: status == 200 ? [] : headers)
        }

        var pacing: Pacing {
            Pacing(
                now: { 784_111_777 - 5 }, random: { 0.5 },
                sleep: { wait in self.waits.withLock { $0.append(wait) } })
        }
    }

    private func check(
        _ rehearsal: Rehearsal, _ expected: (status: Int, attempts: Int, waits: [Int]),
        policy: RetryPolicy = RetryPolicy(), _ change: (inout Request) -> Void = { _ in }
    ) async throws {
        let server = try await LoopbackServer.start { _ in rehearsal.answer() }
        let client = RetryingClient(Client.make(), policy: policy, pacing: rehearsal.pacing)
        var request = try Request.make(server.origin)
        change(&request)
        let response = try await client.send(request)
        #expect(response.status == expected.status && response.attempts == expected.attempts)
        #expect(
            rehearsal.waits.withLock { $0 } == expected.waits && server.requests.count == expected.attempts)
        await server.stop()
    }

    @Test func triesUntilItGoesWell() async throws {
        try await check(Rehearsal([500, 502, 503, 200]), (200, 4, [250, 500, 1000]))
        try await check(Rehearsal([200]), (200, 1, []))
    }

    @Test func givesUpAfterTheLastAttempt() async throws {
        try await check(
            Rehearsal([500]), (500, 10, [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]))
        var policy = RetryPolicy()
        policy.attempts = 4
        try await check(Rehearsal([500]), (500, 4, [250, 500, 1000]), policy: policy)
    }

    /// The server's wait is the least: "0" does not make the client hammer.
    @Test(arguments: [
        ("7", 7000), ("0", 250), ("Sun, 06 Nov 1994 08:49:37 GMT", 5000), ("soon", 250), ("-1", 250),
    ])
    func waitsAsLongAsTheServerRequires(value: String, expected: Int) async throws {
        try await check(Rehearsal([429, 200], headers: [("Retry-After", value)]), (200, 2, [expected]))
    }

    @Test func staysInTheBudget() async throws {
        try await check(Rehearsal([429, 200], headers: [("Retry-After", "3600")]), (429, 1, []))
        try await check(Rehearsal([503, 200], headers: [("Retry-After", "300")]), (503, 1, []))
        try await check(Rehearsal([503, 200], headers: [("Retry-After", "270")]), (200, 2, [270_000]))
        try await check(
            Rehearsal([429], headers: [("Retry-After", "90")]), (429, 4, [90_000, 90_000, 90_000]))
        try await check(
            Rehearsal([429, 200], headers: [("Retry-After", "99999999999999999999")]), (200, 2, [250]))
        try await check(Rehearsal([429, 200], headers: [("Retry-After", "\(Int.max)")]), (429, 1, []))
    }

    @Test(arguments: [400, 401, 403, 404, 501])
    func leavesOtherStatusesAlone(status: Int) async throws {
        try await check(Rehearsal([status]), (status, 1, []))
    }

    @Test func repeatsAPostOnlyWhenStatedAsHarmless() async throws {
        try await check(Rehearsal([500, 200]), (500, 1, [])) { request in
            (request.method, request.isIdempotent) = (.post, false)
        }
        try await check(Rehearsal([500, 200]), (200, 2, [250])) { $0.method = .post }
        #expect(try !Request.make("https://a.b", .post).isIdempotent)
    }

    @Test func triesAgainAfterConnectionFaults() async throws {
        let server = try FaultServer.start(.reset)
        let rehearsal = Rehearsal([200])
        var policy = RetryPolicy()
        policy.attempts = 3
        let client = RetryingClient(Client.make(), policy: policy, pacing: rehearsal.pacing)
        let error = await failure(of: try .make(server.origin), by: client)
        #expect(error?.kind == .reset && error?.attempts == 3 && server.connectionCount >= 3)
        #expect(rehearsal.waits.withLock { $0 } == [250, 500])
    }

    @Test func cancellationEndsTheWaiting() async throws {
        let server = try await LoopbackServer.start(answering: StubResponse(status: 500))
        let pacing = Pacing(now: { 0 }, random: { 0 }, sleep: { _ in throw CancellationError() })
        let error = await failure(
            of: try .make(server.origin), by: RetryingClient(Client.make(), pacing: pacing))
        #expect(error?.kind == .canceled && error?.attempts == 1 && error?.isBetweenRequests == true)
        await server.stop()
    }

    @Test(arguments: [
        (1, 0.0, 0), (1, 0.999, 499), (3, 0.5, 1000), (100, 0.5, 15_000), (Int.max, 1, 30_000), (-1, 2, 500),
        (2, .nan, 1000),
    ])
    func drawsTheWaitBelowADoublingBound(attempt: Int, random: Double, expected: Int) {
        #expect(RetryPolicy().wait(afterAttempt: attempt, serverSeconds: nil, random: random) == expected)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37),
        ("Sun Nov  6 08:49:37 1994", 37),
        ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("120", 120),
    ])
    func readsEveryFormOfRetryAfter(text: String, expected: Int) throws {
        let response = Response(
            status: 429, headers: Headers(received: ["Retry-After: \(text)"]),
            address: try Address("https://a.b"))
        #expect(response.retryAfterSeconds(now: 784_111_740) == expected)
    }

    @Test(arguments: ["", "x", "-5", "1.5", "12:99:99", "Sun, 99 Nov 1994 08:49:37 GMT", "  "])
    func ignoresRetryAfterThatIsNeither(text: String) throws {
        let response = Response(
            status: 429, headers: Headers(received: ["Retry-After: \(text)"]),
            address: try Address("https://a.b"))
        #expect(response.retryAfterSeconds(now: 0) == nil)
    }
}
