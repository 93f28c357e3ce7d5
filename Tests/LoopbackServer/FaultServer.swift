import Foundation
import Platform
import Synchronization

/// A raw TCP server on a free loopback port that does to each connection what its script says, for faults
/// that an HTTP server will not commit.
///
/// Each connection: wait for the end of a request's header lines, do the steps, close.
package final class FaultServer: Sendable {
    /// One thing done to a connection.
    package enum Step: Sendable {
        /// Sends these bytes.
        case send([UInt8])
        /// Sends these bytes again and again until the peer goes away.
        case sendForever([UInt8])
        /// Sends these bytes so often, waiting in between for the peer to go away.
        case drip([UInt8], everyMilliseconds: Int32)
        /// Says nothing until the peer goes away.
        case stall
        /// Closes with a reset (RST) in the place of an orderly end.
        case reset

        /// Sends text, line breaks as they are written.
        package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// A connection with its request.
    package struct Arrival: Sendable {
        /// The running number of the connection, from 1.
        package var number: Int
        /// The request line and the header lines; empty when no request was read.
        package var head: String

        /// What was requested, as it is in the request line.
        package var target: String {
            let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
            return words.count > 1 ? String(words[1]) : ""
        }
    }

    /// `http://127.0.0.1:port`.
    package var origin: String { "http://127.0.0.1:\(port)" }
    /// The port.
    package let port: UInt16
    /// Gives the running number of each connection when its request has been read.
    package let arrivals: AsyncStream<Int>
    private let listener: Int32
    private let state: State

    /// Starts a server that does these steps to every connection, after its request or, with `readsRequest`
    /// false, at once.
    package static func start(readsRequest: Bool = true, _ steps: Step...) throws -> FaultServer {
        try start(readsRequest: readsRequest) { _ in steps }
    }

    /// Starts a server that does these scripts to the connections in turn, the last one from then on.
    package static func start(readsRequest: Bool = true, scripts: [[Step]]) throws -> FaultServer {
        try start(readsRequest: readsRequest) {
            scripts.isEmpty ? [] : scripts[min($0.number, scripts.count) - 1]
        }
    }

    /// Starts a server that decides for each connection what it does.
    package static func start(
        readsRequest: Bool = true, script: @escaping @Sendable (Arrival) -> [Step]
    ) throws -> FaultServer {
        let (listener, port) = try listenOnLoopback()
        let (arrivals, arrived) = AsyncStream<Int>.makeStream()
        let state = State()
        Thread.detachNewThread {
            while case let peer = accept(listener, nil, nil), peer >= 0 {
                let number = state.count()
                Thread.detachNewThread {
                    let head = readsRequest ? readRequest(peer) : ""
                    let arrival = Arrival(number: number, head: head)
                    state.arrivals.withLock { $0.append(arrival) }
                    arrived.yield(number)
                    for step in script(arrival) { step.perform(on: peer) }
                    close(peer)
                }
            }
            close(listener)
        }
        return FaultServer(port: port, arrivals: arrivals, listener: listener, state: state)
    }

    /// A port on which nothing listens. It stays taken until the process ends, so that no server gets it.
    package static func refusedPort() throws -> UInt16 {
        try bindToLoopback().port
    }

    /// How many connections have been accepted.
    package var connectionCount: Int { state.connections.withLock { $0 } }

    /// The requests, in the order in which they had been read.
    package var requests: [Arrival] { state.arrivals.withLock { $0 } }

    private init(port: UInt16, arrivals: AsyncStream<Int>, listener: Int32, state: State) {
        self.port = port
        self.arrivals = arrivals
        self.listener = listener
        self.state = state
    }

    // Ends `accept`; the accepting thread closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private final class State: Sendable {
        let connections = Mutex(0)
        let arrivals = Mutex<[Arrival]>([])

        func count() -> Int {
            connections.withLock { count in
                count += 1
                return count
            }
        }
    }
}
