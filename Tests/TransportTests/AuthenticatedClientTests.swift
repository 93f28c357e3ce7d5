import LoopbackServer
import Testing

@testable import Transport

struct AuthenticatedClientTests {
    private func check(_ credential: (Secret) -> Credential, _ name: String, _ expected: String) async throws
    {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let origin = try Address(server.origin).origin
        let client = try AuthenticatedClient(
            Client.make(), origin: origin, credential: credential(secret("abc")))
        _ = try await client.send(.make(server.origin))
        #expect(server.requests.first?.header(name) == expected)
        await server.stop()
    }

    @Test func attachesItsCredential() async throws {
        try await check({ .bearer($0) }, "Authorization", "Bearer abc")
        try await check({ .token($0) }, "Authorization", "token abc")
        try await check({ .header("X-ClickHouse-Key", $0) }, "X-ClickHouse-Key", "abc")
    }

    @Test(arguments: [
        "http://127.0.0.1:1/", "https://api.example/", "http://localhost/", "https://api.example.evil/",
    ])
    func refusesForeignOrigins(text: String) async throws {
        let home = Origin(scheme: .http, host: "api.example", port: 80)
        let client = try AuthenticatedClient(Client.make(), origin: home, credential: .bearer(secret()))
        #expect(await failure(of: try .make(text), by: client)?.kind == .foreignOrigin)
    }

    @Test func refusesHeadersThatCannotBeSent() throws {
        let home = Origin(scheme: .http, host: "api.example", port: 80)
        #expect(throws: HeaderError.name("Auth Token")) {
            try AuthenticatedClient(Client.make(), origin: home, credential: .header("Auth Token", secret()))
        }
    }

    @Test func layersForServicesWithTwoHeaders() async throws {
        let server = try await LoopbackServer.start(answering: .text("ok"))
        let origin = try Address(server.origin).origin
        let inner = try AuthenticatedClient(
            Client.make(), origin: origin, credential: .header("X-Key", secret("k")))
        let outer = try AuthenticatedClient(inner, origin: origin, credential: .header("X-User", secret("u")))
        _ = try await outer.send(.make(server.origin))
        #expect(
            server.requests.first?.header("X-Key") == "k" && server.requests.first?.header("X-User") == "u")
        await server.stop()
    }
}
