import Platform
import Synchronization
import Testing

@testable import LoopbackServer
@testable import Transport

/// What must not arrive twice does not, also where a connection ends that was used before.
struct OneArrivalTests {
    private struct Row: Sendable {
        let method: Request.Method
        var arrivesOnce = false
        var isIdempotent = true
        let arrivals: Int
    }

    /// The server answers the first request and keeps the connection, closes it upon the second without an answer, and
    /// answers all others.
    private static let rows = [
        Row(method: .post, arrivesOnce: true, arrivals: 1),
        Row(method: .post, isIdempotent: false, arrivals: 1),
        // libcurl sends what is harmless once more by itself.
        Row(method: .put, arrivals: 2), Row(method: .get, arrivals: 2),
    ]

    @Test(arguments: rows.indices)
    func whatIsNotAnsweredArrivesOnce(index: Int) async throws {
        let row = Self.rows[index]
        let server = try ClosingServer.start()
        let client = Client.make()
        #expect(try await client.send(.make(server.origin + "/first")).status == 200)
        var request = try Request.make(server.origin + "/second", row.method)
        (request.arrivesOnce, request.isIdempotent) = (row.arrivesOnce, row.isIdempotent)
        let error = await failure(of: request, by: client)
        let kind: TransportError.Kind? = row.arrivals == 1 ? .reset : nil
        #expect(error?.kind == kind)
        let arrived = server.heads.filter { $0.hasPrefix("\(row.method.rawValue) /second") }
        #expect(arrived.count == row.arrivals, "\(server.heads)")
        #expect(try await client.send(.make(server.origin + "/third")).status == 200)
    }
}

/// A server on loopback that keeps connections, and closes that of the second request in the place of an answer.
private final class ClosingServer: Sendable {
    let origin: String
    private let listener: Int32
    private let log: Log

    private final class Log: Sendable {
        let heads = Mutex<[String]>([])

        /// How many there are with this one.
        func add(_ head: String) -> Int {
            heads.withLock { heads in
                heads.append(head)
                return heads.count
            }
        }
    }

    /// The heads of the requests, in the order in which they were read.
    var heads: [String] { log.heads.withLock { $0 } }

    static func start() throws -> ClosingServer {
        let (listener, port) = try listenOnLoopback()
        let log = Log()
        let isRunning = startThread {
            while case let peer = accept(listener, nil, nil), peer >= 0 {
                _ = startThread { ClosingServer.serve(peer, log) }
            }
            close(listener)
        }
        try #require(isRunning)
        return ClosingServer("http://127.0.0.1:\(port)", listener, log)
    }

    private init(_ origin: String, _ listener: Int32, _ log: Log) {
        (self.origin, self.listener, self.log) = (origin, listener, log)
    }

    // Ends `accept`.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ peer: Int32, _ log: Log) {
        while case let head = readRequest(peer), !head.isEmpty, log.add(head) != 2 {
            guard sendAll(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8), to: peer) else { break }
        }
        close(peer)
    }
}
