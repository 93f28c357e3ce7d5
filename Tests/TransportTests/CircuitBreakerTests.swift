import Diagnostics
import LoopbackServer
import Synchronization
import Testing

@testable import Transport

/// A service that is down is soon left alone.
struct CircuitBreakerTests {
    private func client(attempts: Int = 2, requests: Int = 3) -> RetryingClient {
        var policy = RetryPolicy()
        (policy.attempts, policy.failedRequestsInARow) = (attempts, requests)
        let pacing = Pacing(now: { 0 }, random: { 0 }, sleep: { _ in })
        return RetryingClient(Client.make { $0.allowsFiles = true }, policy: policy, pacing: pacing)
    }

    /// Sends one after the other; the status of each response, nil for an outage.
    private func statuses(_ client: RetryingClient, _ origin: String, _ paths: [String]) async throws
        -> [Int?]
    {
        var statuses: [Int?] = []
        for path in paths {
            let request = try Request.make(origin + path)
            do throws(TransportError) {
                statuses.append(try await client.send(request).status)
            } catch {
                #expect(error.kind == .outage && error.attempts == 0, "\(error)")
                statuses.append(nil)
            }
        }
        return statuses
    }

    /// Responds with the status in its path.
    private func server() async throws -> LoopbackServer {
        try await LoopbackServer.start { StubResponse(status: Int($0.path.dropFirst().prefix(3)) ?? 200) }
    }

    @Test(
        arguments: [
            (["/500", "/500", "/500", "/500", "/200"], [500, 500, 500, nil, nil], 6),
            (
                ["/500", "/500", "/200", "/500", "/500", "/500", "/200"],
                [500, 500, 200, 500, 500, 500, nil], 11
            ),
            (["/500", "/500", "/404", "/503", "/429"], [500, 500, 404, 503, 429], 9),
            (["/401", "/401", "/401", "/401"], [401, 401, 401, 401], 4),
            // A limit is that of one account: it says of the service neither that it is down nor that it is not.
            (["/429", "/429", "/429", "/429", "/200"], [429, 429, 429, 429, 200], 9),
            (["/500", "/500", "/429", "/500", "/200"], [500, 500, 429, 500, nil], 8),
        ] as [([String], [Int?], Int)])
    func opensAfterRequestsInARowThatFailed(paths: [String], expected: [Int?], asked: Int) async throws {
        let server = try await server()
        #expect(try await statuses(client(), server.origin, paths) == expected)
        #expect(server.requests.count == asked)
        await server.stop()
    }

    /// A service that says itself why it refuses a request is there, whatever the status.
    @Test(arguments: [("/500/own", 200), ("/503/own", 200), ("/500", nil)] as [(String, Int?)])
    func refusalsOfItsOwnAreAnswers(path: String, last: Int?) async throws {
        let server = try await LoopbackServer.start {
            .text($0.path.hasSuffix("/own") ? "said" : "", status: Int($0.path.dropFirst().prefix(3)) ?? 200)
        }
        let client = client(attempts: 1)
        var outcomes: [Int?] = []
        for path in [path, path, path, "/200"] {
            var request = try Request.make(server.origin + path)
            request.ownRefusals = OwnRefusals("test") { $0.text == "said" }
            outcomes.append(try? await client.send(request).status)
        }
        #expect(outcomes.last == last)
        await server.stop()
    }

    /// The attempts of a caller of its own are one request, as those of this program are.
    @Test func attemptsOfOneCallerCountOnce() async throws {
        let server = try await server()
        let client = client(attempts: 10, requests: 3)
        var outcomes: [Int?] = []
        for attempt in [1, 2, 3, 1, 2, 3, 1, 2] {
            var request = try Request.make("\(server.origin)/503")
            (request.isRetried, request.attempt) = (false, attempt)
            outcomes.append(try? await client.send(request).status)
        }
        #expect(outcomes == [503, 503, 503, 503, 503, 503, 503, nil])
        await server.stop()
    }

    @Test func leavesOtherOriginsAlone() async throws {
        let (server, other) = (try await server(), try await self.server())
        let client = client(requests: 1)
        #expect(try await statuses(client, server.origin, ["/503", "/200"]) == [503, nil])
        #expect(try await statuses(client, other.origin, ["/200"]) == [200])
        await server.stop()
        await other.stop()
    }

    @Test func reportsWhatHappenedWithoutSecrets() async throws {
        let port = try FaultServer.refusedPort()
        let client = client(requests: 1)
        let request = try Request.make("http://127.0.0.1:\(port)/x?token=s3cr3t&page=2")
        #expect(await failure(of: request, by: client)?.kind == .refused)
        let error = try #require(await failure(of: request, by: client))
        let reported = consoleText(of: error.diagnostic)
        #expect(error.address.hasSuffix("/x?token=<redacted>&page=2") && !reported.contains("s3cr3t"))
        #expect(reported.contains("[transport.outage]") && reported.contains("2 attempts in a row failed"))
        #expect(reported.contains("CURLE_COULDNT_CONNECT (7)") && reported.contains("after 0 attempts"))
    }

    /// Many that run at once do not add up: what is requested beyond the row is what was under way.
    @Test func requestsThatRunAtOnceCountTogether() async throws {
        let server = try await LoopbackServer.start(answering: StubResponse(status: 503))
        let client = client(attempts: 10, requests: 3)
        let outcomes = await withTaskGroup(of: TransportError.Kind?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    guard let request = try? Request.make("\(server.origin)/\(number)") else { return nil }
                    return await failure(of: request, by: client)?.kind
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .outage })
        #expect(server.requests.count >= 30 && server.requests.count <= 30 + 50)
        await server.stop()
    }

    @Test func readsFilesWhateverHappens() async throws {
        let client = client(requests: 1)
        #expect(await failure(of: try .make("file:///does/not/exist"), by: client)?.kind == .file)
        #expect(await failure(of: try .make("file:///does/not/exist"), by: client)?.kind == .file)
    }
}
