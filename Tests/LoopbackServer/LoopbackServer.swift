import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A stand-in HTTP service on a free port of the loopback address.
///
/// ```
/// let server = try await LoopbackServer.start { request in .json(#"{"path":"\#(request.path)"}"#) }
/// let url = server.origin + "/api"            // http://127.0.0.1:40123/api
/// let requested = server.requests.map(\.target)   // in the order they came
/// await server.stop()
/// ```
package final class LoopbackServer: Sendable {
    /// Handles one request.
    package typealias Handler = @Sendable (RecordedRequest) async throws -> StubResponse

    /// `http://127.0.0.1:port`, without a slash at the end.
    package let origin: String
    /// Seconds after which a start or a response counts as failed: far more than a busy machine takes.
    private static let patience = 300.0
    private let server: HTTPServer
    private let run: Task<Void, any Error>
    private let recorder: Recorder

    /// Starts a server; a handler that throws gives status 500.
    package static func start(handler: @escaping Handler) async throws -> LoopbackServer {
        let recorder = Recorder()
        let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: 0)
        let answer = ClosureHTTPHandler { try await recorder.answer($0, with: handler) }
        let server = HTTPServer(
            address: address, timeout: patience, pool: SharedPool.shared, logger: .disabled, handler: answer)
        let run = Task { try await server.run() }
        try await server.waitUntilListening(timeout: patience)
        guard case .ip4(let host, let port)? = await server.listeningAddress else { throw NoAddress() }
        return LoopbackServer(origin: "http://\(host):\(port)", server: server, run: run, recorder: recorder)
    }

    /// A server with one response for every request.
    package static func start(answering response: StubResponse) async throws -> LoopbackServer {
        try await start { _ in response }
    }

    private init(origin: String, server: HTTPServer, run: Task<Void, any Error>, recorder: Recorder) {
        self.origin = origin
        self.server = server
        self.run = run
        self.recorder = recorder
    }

    deinit { run.cancel() }

    /// What was requested, in the order it came.
    package var requests: [RecordedRequest] { recorder.requests.withLock { $0 } }

    /// How many connections the requests came over.
    package var connectionCount: Int { Set(requests.map(\.connection)).count }

    /// Closes the port and all connections.
    package func stop() async {
        run.cancel()
        await server.stop()
    }

    private struct NoAddress: Error {}
}

private final class Recorder: Sendable {
    let requests = Mutex<[RecordedRequest]>([])

    func answer(_ request: HTTPRequest, with handler: LoopbackServer.Handler) async throws -> HTTPResponse {
        let recorded = try await RecordedRequest(request)
        requests.withLock { $0.append(recorded) }
        return try await handler(recorded).httpResponse
    }
}
