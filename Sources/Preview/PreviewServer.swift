package import Diagnostics
import FlyingFox
import FlyingSocks
import Glibc

/// Serves the folder of a site on the loopback address.
package final class PreviewServer: Sendable {
    /// The address of the entry page, such as `http://127.0.0.1:8080/`.
    package let address: String
    private let site: PreviewSite
    private let server: HTTPServer
    private let run: Task<Void, any Error>

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - folder: the folder of the site; it need not be there yet.
    ///   - port: the port; 0 takes a free one.
    /// - Throws: why the port cannot be had.
    package static func start(_ folder: String, port: UInt16) async throws(Diagnostic) -> PreviewServer {
        let site = PreviewSite(folder: folder)
        do {
            let server = HTTPServer(
                address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), logger: .disabled,
                handler: ClosureHTTPHandler { site.answer($0) })
            let run = Task { try await server.run() }
            try await listening(server, run)
            guard case .ip4(let host, let port)? = await server.listeningAddress else { throw NotListening() }
            return PreviewServer("http://\(host):\(port)/", site, server, run)
        } catch {
            throw .error(
                "serve.port", "The port \(port) of 127.0.0.1 cannot be had",
                hints: ["end the program that uses it, or choose another with '--port'; 0 takes a free one"])
        }
    }

    private init(_ address: String, _ site: PreviewSite, _ server: HTTPServer, _ run: Task<Void, any Error>) {
        self.address = address
        self.site = site
        self.server = server
        self.run = run
    }

    /// Shows this text in the place of every page, or the pages again when it is nil.
    package func show(trouble text: String?) { site.setTrouble(text) }

    /// Closes the port and all connections.
    package func stop() async {
        run.cancel()
        await server.stop()
    }

    private struct NotListening: Error {}
}

/// Returns when the server listens, and throws when it ends before.
private func listening(_ server: HTTPServer, _ run: Task<Void, any Error>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.waitUntilListening(timeout: 10) }
        group.addTask { try await run.value }
        try await group.next()
        group.cancelAll()
    }
}
