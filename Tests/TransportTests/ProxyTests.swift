import Diagnostics
import LoopbackServer
import Platform
import Testing

@testable import Transport

/// The environment belongs to the whole process, so each test has one of its own.
struct ProxyTests {
    @Test func asksThroughTheProxyThatTheEnvironmentNames() async {
        await #expect(processExitsWith: .success) {
            let proxy = try FaultServer.start(.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy"))
            setenv("http_proxy", proxy.origin, 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let client = Client(Client.Options(version: "1"))
            let response = try await client.send(.make("http://api.invalid/x?page=1"))
            #expect(response.text == "proxy" && response.address.text == "http://api.invalid/x?page=1")
            #expect(proxy.requests.map(\.target) == ["http://api.invalid/x?page=1"])
            let direct = await failure(of: try .make("http://api.invalid/"), by: Client.make())
            #expect(direct?.kind == .resolve && proxy.requests.count == 1)
        }
    }

    @Test func leavesOutTheHostsThatTheEnvironmentNames() async {
        await #expect(processExitsWith: .success) {
            let server = try FaultServer.start(.text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect"))
            setenv("http_proxy", "http://127.0.0.1:\(try FaultServer.refusedPort())", 1)
            setenv("no_proxy", "127.0.0.1", 1)
            let client = Client(Client.Options(version: "1"))
            #expect(try await client.send(.make(server.origin)).text == "direct")
        }
    }

    /// What a proxy answers in the place of a connection: its refusals are final, other answers are worth another attempt.
    @Test func reportsWhatTheProxyAnswersInPlaceOfAConnection() async {
        await #expect(processExitsWith: .success) {
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let answers: [(status: Int, kind: TransportError.Kind, attempts: Int, hint: String)] = [
                (407, .proxy, 1, "write the proxy's user and password"), (403, .proxy, 1, "allow the host"),
                (503, .refused, 3, "check host, port and proxy"),
            ]
            for answer in answers {
                let proxy = try FaultServer.start(
                    .text("HTTP/1.1 \(answer.status) No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                setenv("https_proxy", "http://user:s3cr3t@127.0.0.1:\(proxy.port)", 1)
                var policy = RetryPolicy()
                policy.attempts = 3
                let client = RetryingClient(
                    Client(Client.Options(version: "1")), policy: policy,
                    pacing: Pacing(now: { 0 }, random: { 0 }, sleep: { _ in }))
                let error = try #require(await failure(of: .make("https://api.invalid/"), by: client))
                #expect(error.kind == answer.kind && error.attempts == answer.attempts, "\(error)")
                #expect(error.text.contains("\(answer.status)") && !"\(error)".contains("s3cr3t"))
                #expect(error.diagnostic.hints.first?.hasPrefix(answer.hint) == true)
            }
        }
    }

    @Test func reportsAProxyThatIsAwayWithoutItsPassword() async {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://user:s3cr3t@127.0.0.1:\(try FaultServer.refusedPort())", 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let client = Client(Client.Options(version: "1"))
            let error = try #require(await failure(of: .make("http://api.invalid/"), by: client))
            #expect(error.kind == .refused && !"\(error)".contains("s3cr3t"))
            setenv("http_proxy", "http://\(String(repeating: "x", count: 70)).invalid:1", 1)
            let lost = try #require(await failure(of: .make("http://api.invalid/"), by: client))
            #expect(lost.kind == .resolve && lost.code == "CURLE_COULDNT_RESOLVE_PROXY (5)")
        }
    }
}
