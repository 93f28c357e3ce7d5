import LoopbackServer
import Testing

@testable import Transport

struct RedirectTests {
    private func redirecting(_ status: Int, to location: String) async throws -> LoopbackServer {
        try await .start { request in
            request.path == "/end"
                ? .text("\(request.method) \(request.text)") : .redirect(status, to: location)
        }
    }

    @Test(arguments: [
        (301, Request.Method.get, "GET "), (302, .get, "GET "), (303, .get, "GET "), (307, .get, "GET "),
        (308, .get, "GET "), (301, .post, "GET "), (302, .post, "GET "), (303, .post, "GET "),
        (307, .post, "POST b"),
        (308, .post, "POST b"),
    ])
    func turnsToGetWhereItMust(status: Int, method: Request.Method, expected: String) async throws {
        let server = try await redirecting(status, to: "/end")
        let request = try Request.make(server.origin, method, body: "b").with("Content-Type", "text/plain")
        let response = try await Client.make().send(request)
        #expect(response.text == expected && response.address.path == "/end")
        let isWithoutBody = method == .post && expected == "GET "
        #expect((server.requests.last?.header("Content-Type") == nil) == isWithoutBody)
        await server.stop()
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http://user:pass@127.0.0.1/", "/",
        "http://", "http://a b/", "///x y\\z",
    ])
    func refuses(location: String) async throws {
        let server = try await redirecting(302, to: location)
        let error = await failure(of: try .make(server.origin), by: Client.make { $0.allowsFiles = true })
        #expect(error?.kind == .redirect && error?.status == 302 && server.requests.count == 1)
        #expect(error?.text.contains("user:pass") == false)
        await server.stop()
    }

    @Test func endsAfterTheLimit() async throws {
        let server = try await LoopbackServer.start { .redirect(to: $0.path + "x") }
        let error = await failure(of: try .make(server.origin), by: Client.make())
        #expect(
            error?.kind == .redirect && error?.text == "there were more than 5" && server.requests.count == 6)
        let response = try await Client.make().send(.make(server.origin) { $0.redirects = 0 })
        #expect(response.status == 302)
        await server.stop()
    }

    @Test func seesCircles() async throws {
        let server = try await LoopbackServer.start { .redirect(to: $0.path == "/a" ? "/b" : "/a") }
        let error = await failure(of: try .make(server.origin + "/a"), by: Client.make())
        #expect(error?.text.hasPrefix("redirect loop") == true && server.requests.count == 2)
        await server.stop()
    }

    @Test func leavesSecretsBehindAtAnotherOrigin() async throws {
        let other = try await LoopbackServer.start(answering: .text("s3cr3t", status: 404))
        let server = try await redirecting(302, to: other.origin + "/end")
        let request = try Request.make(server.origin).with("Auth-Token", secret("s3cr3t")).with(
            "X-Plain", "1")
        let response = try await Client.make().send(request)
        #expect(response.address.text == other.origin + "/end")
        #expect(server.requests.first?.header("Auth-Token") == "s3cr3t")
        let asked = try #require(other.requests.first)
        #expect(asked.header("Auth-Token") == nil && asked.header("X-Plain") == "1")
        let error = #expect(throws: HTTPStatusError.self) { try response.checked() }
        #expect(error?.excerpt == "<redacted>")
        await server.stop()
        await other.stop()
    }

    @Test func keepsSecretsAtTheSameOrigin() async throws {
        let server = try await redirecting(302, to: "/end")
        _ = try await Client.make().send(.make(server.origin).with("Auth-Token", secret("s3cr3t")))
        #expect(server.requests.map { $0.header("Auth-Token") } == ["s3cr3t", "s3cr3t"])
        await server.stop()
    }

    @Test func sendsNoBodyToAnotherOrigin() async throws {
        let other = try await LoopbackServer.start(answering: .text("x"))
        let server = try await redirecting(307, to: other.origin)
        let error = await failure(
            of: try .make(server.origin, .post, body: "token_auth=1"), by: Client.make())
        #expect(error?.kind == .redirect && other.requests.isEmpty)
        await server.stop()
        await other.stop()
    }

    @Test func neverLeavesTLS() throws {
        var trail = RedirectTrail(try .make("https://a.b/"))
        let response = Response(
            status: 301, headers: Headers(received: ["Location: http://a.b/"]),
            address: try Address("https://a.b/"))
        #expect(throws: TransportError.self) { try trail.follow(response) }
    }
}
