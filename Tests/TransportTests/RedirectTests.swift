import Diagnostics
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

    /// A service that repeats the token where the text of the error is cut.
    @Test(arguments: [170, 190, 199]) func aCutLocationLeavesNoPartOfASecret(length: Int) async throws {
        let token = "s3cr3t0t0ken0value"
        let location = "ftp://a/" + String(repeating: "x", count: length - 8)
        let server = try await redirecting(302, to: location + token)
        let error = await failure(
            of: try .make(server.origin).with("Auth-Token", secret(token)), by: Client.make())
        #expect(error?.kind == .redirect && error?.text.contains("xxx") == true)
        #expect(error?.text.contains("s3") == false, "\(error?.text ?? "")")
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
        let request = try Request.make(server.origin) { $0.followsOtherOrigins = true }
            .with("Auth-Token", secret("s3cr3t")).with("X-Plain", "1")
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
            of: try .make(server.origin, .post, body: "token_auth=1") { $0.followsOtherOrigins = true },
            by: Client.make())
        #expect(error?.kind == .redirect && other.requests.isEmpty)
        await server.stop()
        await other.stop()
    }

    @Test func staysAtItsOriginUnlessItMayLeave() async throws {
        let other = try await LoopbackServer.start(answering: .text("inner s3cr3ts"))
        let server = try await redirecting(302, to: other.origin + "/end")
        let error = await failure(of: try .make(server.origin), by: Client.make())
        #expect(error?.kind == .redirect && error?.text == "it leads to another origin: \(other.origin)")
        // Another port of its host is the service's own.
        #expect(error?.diagnostic.hints == ["use the final URL in the configuration"])
        #expect(other.requests.isEmpty)
        await server.stop()
        await other.stop()
    }

    /// A token that goes to a login page is one that is given away.
    @Test(arguments: ["https://sso.example.org/login", "/"]) func aLoginPageIsNotTheURLToUse(
        location: String
    ) async throws {
        let server = try await redirecting(302, to: location)
        let error = await failure(of: try .make(server.origin + "/"), by: Client.make())
        let hint = try #require(error?.diagnostic.hints.first)
        #expect(error?.kind == .redirect && hint.hasPrefix("check whether a login page or proxy responded"))
        await server.stop()
    }

    /// What a public host may not lead to, though the request may leave its origin.
    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("localhost", true), ("a.localhost", true),
        ("localhost.", true), ("printer.local", true), ("0.0.0.0", true), ("10.1.2.3", true),
        ("172.16.0.1", true),
        ("172.31.255.255", true), ("172.32.0.1", false), ("172.15.0.1", false), ("192.168.1.1", true),
        ("169.254.169.254", true), ("100.64.0.1", true), ("100.128.0.1", false), ("192.0.0.1", true),
        ("198.18.0.1", true), ("224.0.0.1", true), ("255.255.255.255", true), ("[::1]", true), ("[::]", true),
        ("[::ffff:127.0.0.1]", true), ("[::ffff:8.8.8.8]", false), ("[64:ff9b::a00:1]", true),
        ("[fe80::1]", true),
        ("[fc00::1]", true), ("[fd12::1]", true), ("[ff02::1]", true), ("[2001:4860:4860::8888]", false),
        ("8.8.8.8", false), ("store.example", false), ("0x7f.1", true), ("2130706433", true),
        ("017700000001", true),
    ])
    func neverLeadsIntoAPrivateNetwork(host: String, isRefused: Bool) throws {
        func isFollowed(from home: String) throws -> Bool {
            var trail = RedirectTrail(try .make(home) { $0.followsOtherOrigins = true })
            let response = Response(
                status: 302, headers: Headers(received: ["Location: http://\(host)/x"]),
                address: try Address(home))
            return (try? trail.follow(response)) == true
        }
        #expect(try isFollowed(from: "http://api.example/") == !isRefused)
        #expect(try isFollowed(from: "http://10.0.0.7/"))
    }

    /// A name that a name server leads into a private network: nothing is sent there.
    @Test func sendsNothingToAPrivateAddressWhateverItsName() async throws {
        let server = try await LoopbackServer.start(answering: .text("x"))
        var request = try Request.make(server.origin)
        request.staysPublic = true
        let error = await failure(of: request, by: Client.make())
        #expect(error?.kind == .redirect && error?.text.contains("private network") == true)
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test func neverLeavesTLS() throws {
        var trail = RedirectTrail(try .make("https://a.b/"))
        let response = Response(
            status: 301, headers: Headers(received: ["Location: http://a.b/"]),
            address: try Address("https://a.b/"))
        #expect(throws: TransportError.self) { try trail.follow(response) }
    }
}
