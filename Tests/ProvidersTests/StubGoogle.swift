import AppHealth
import Foundation
import GoogleStub
import LoopbackServer
import Synchronization
import Tokens
import Transport

@testable import Providers

/// A stand-in for one of Google's services with its token server, on one port; a fault that responds goes first.
final class StubGoogle: Sendable {
    typealias Fault = @Sendable (RecordedRequest) async throws -> StubResponse?
    typealias Answer = @Sendable (RecordedRequest) throws -> StubResponse

    let server: LoopbackServer
    let tokens: StubTokenServer

    static func start(_ answer: @escaping Answer, fault: @escaping Fault) async throws -> StubGoogle {
        let tokens = StubTokenServer { runTime.secondsSinceEpoch }
        let server = try await LoopbackServer.start { request in
            if let answer = try await fault(request) { return answer }
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            guard tokens.admits(request) else {
                return .google(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
            }
            return try answer(request)
        }
        return StubGoogle(server: server, tokens: tokens)
    }

    private init(server: LoopbackServer, tokens: StubTokenServer) {
        self.server = server
        self.tokens = tokens
    }

    var account: ServiceAccountKey {
        get throws {
            try ServiceAccountKey(json: StubAccount.shared.file(tokenAddress: server.origin + "/token"))
        }
    }

    /// What was requested of the service, without the token server.
    var asked: [RecordedRequest] { server.requests.filter { $0.path != "/token" } }

    /// The outcome, after making sure that no token and no line of the key is in any text of it.
    func fetch(_ provider: some Provider, at time: Instant = runTime) async -> FetchOutcome {
        let outcome = await provider.fetch(app("sketchbook"), at: time)
        await server.stop()
        let text = outcome.diagnostics.map(\.everything).joined(separator: "\n") + "\(outcome)"
        let keyLine = StubAccount.shared.pem.split(separator: "\n")[2]
        precondition(!text.contains("ya29.") && !text.contains("eyJ") && !text.contains(keyLine))
        return outcome
    }
}

extension StubResponse {
    /// Google's envelope of an error.
    static func google(
        _ code: Int, _ status: String, _ message: String, reason: String? = nil,
        headers: [(name: String, value: String)] = []
    ) -> StubResponse {
        let info = reason.map {
            #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#($0)","domain":"googleapis.com"}"#
        }
        return .json(
            #"{"error":{"code":\#(code),"message":"\#(message)","status":"\#(status)","details":[\#(info ?? "")]}}"#,
            status: code, headers: headers)
    }
}

/// The members of a fixture, each as JSON text.
struct GoogleFixture: Sendable {
    private let members: [String: String]

    init(_ name: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: fixture("google/\(name).json")))
        let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        members = try root.mapValues {
            String(
                decoding: try JSONSerialization.data(withJSONObject: $0, options: [.fragmentsAllowed]),
                as: UTF8.self)
        }
    }

    func answer(_ member: String) -> StubResponse {
        members[member].map { .json($0) } ?? .google(404, "NOT_FOUND", "Requested entity was not found.")
    }
}
