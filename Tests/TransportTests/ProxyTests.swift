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
