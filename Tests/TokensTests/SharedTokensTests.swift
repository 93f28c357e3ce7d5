import Foundation
import GoogleStub
import LoopbackServer
import Testing
import Transport

@testable import Tokens

struct SharedTokensTests {
    private struct Silent: Sender {
        func send(_ request: Request) async throws(TransportError) -> Response {
            throw TransportError(.closed, request.address, doing: "sending")
        }
    }

    private func key(_ address: String, _ changes: [String: String?] = [:]) throws -> ServiceAccountKey {
        try ServiceAccountKey(json: StubAccount.shared.file(tokenAddress: address, changes))
    }

    @Test func equalRequestsShareOneSource() throws {
        let shared = SharedTokens()
        let here = "https://tokens.example/token"
        let source = { (key: ServiceAccountKey, scopes: [String]) in
            shared.source(key, scopes: scopes, sender: Silent())
        }
        let first = source(try key(here), ["a", "b"])
        #expect(source(try key(here), ["b", "a"]) === first)
        #expect(source(try key(here), ["a"]) !== first)
        #expect(source(try key("https://other.example/token"), ["a", "b"]) !== first)
        #expect(source(try key(here, ["client_email": "other@example"]), ["a", "b"]) !== first)
        #expect(SharedTokens().source(try key(here), scopes: ["a", "b"], sender: Silent()) !== first)
    }

    @Test func manyThatShareMakeOneExchange() async throws {
        let tokens = StubTokenServer { 1_795_154_400 }
        let server = try await LoopbackServer.start { request in
            tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
        }
        let client = Client(Client.Options(version: "test"))
        let (shared, key) = (SharedTokens(), try key(server.origin + "/token"))
        let scope = "https://www.googleapis.com/auth/analytics.readonly"
        try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await shared.source(key, scopes: [scope], sender: client, now: { 1_795_154_400 })
                        .token()
                }
            }
            try await group.waitForAll()
        }
        await client.close()
        await server.stop()
        #expect(tokens.exchanges == 1)
    }

    @Test func aFingerprintDistinguishesSecretsAndRevealsNothing() {
        #expect(fingerprint("".utf8).utf8.count == 16)
        #expect(fingerprint("token".utf8) == fingerprint(Array("token".utf8)))
        #expect(fingerprint("token".utf8) != fingerprint("tokem".utf8))
    }
}
