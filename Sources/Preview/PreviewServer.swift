package import Diagnostics
import FlyingFox
import FlyingSocks
import Platform

/// Serves the folder of a site on the loopback address.
package final class PreviewServer: Sendable {
    /// The address of the entry page, such as `http://127.0.0.1:8080/`.
    package let address: String
    private let site: PreviewSite
    private let server: HTTPServer
    private let run: Task<Void, Never>

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - folder: the folder of the site; it need not be there yet.
    ///   - port: the port; 0 takes a free one.
    /// - Throws: why the port is not available.
    package static func start(_ folder: String, port: UInt16) async throws(Diagnostic) -> PreviewServer {
        let site = PreviewSite(folder: folder)
        do {
            let server = HTTPServer(
                address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), logger: .disabled,
                handler: ClosureHTTPHandler { site.answer($0) })
            let (ready, announce) = AsyncStream<Void>.makeStream()
            // It ends at once when the port is not available.
            let run = Task {
                try? await server.run()
                announce.yield()
            }
            Task {
                try? await server.waitUntilListening(timeout: 10)
                announce.yield()
            }
            for await _ in ready { break }
            guard case .ip4(let host, let port)? = await server.listeningAddress else { throw NotListening() }
            return PreviewServer("http://\(host):\(port)/", site, server, run)
        } catch {
            throw .error(
                "serve.port", "Cannot listen on 127.0.0.1:\(port)",
                hints: ["use '--port' with another number; 0 picks a free one"])
        }
    }

    private init(_ address: String, _ site: PreviewSite, _ server: HTTPServer, _ run: Task<Void, Never>) {
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
