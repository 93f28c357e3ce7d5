import Foundation
import Platform
import Synchronization

/// A front on a free loopback port that hands bytes on to a server at another one, and cuts every connection when so
/// many bytes have come from clients.
package final class CuttingFront: Sendable {
    /// The port.
    package let port: UInt16
    private let listener: Int32
    private let state: State

    private final class State: Sendable {
        let left: Mutex<Int>
        let passed = Mutex(0)
        let peers = Mutex<Set<Int32>>([])

        init(_ bytes: Int) { left = Mutex(bytes) }

        /// Takes bytes off what may still come; false when that is used up.
        func take(_ count: Int) -> Bool {
            passed.withLock { $0 += count }
            return left.withLock { left in
                left -= count
                return left > 0
            }
        }

        func cutAll() {
            peers.withLock { peers in
                for peer in peers { shutdown(peer, Int32(SHUT_RDWR)) }
            }
        }
    }

    /// How many bytes have come from clients.
    package var passed: Int { state.passed.withLock { $0 } }

    /// Starts a front of the server at a port.
    ///
    /// - Parameter bytes: how many bytes may come before everything is cut for good.
    package static func start(before server: UInt16, bytes: Int) throws -> CuttingFront {
        let (listener, port) = try listenOnLoopback()
        let state = State(bytes)
        Thread.detachNewThread {
            while case let peer = accept(listener, nil, nil), peer >= 0 {
                guard let inner = connectToLoopback(server) else {
                    close(peer)
                    continue
                }
                join(peer, inner, state)
            }
            close(listener)
        }
        return CuttingFront(port, listener, state)
    }

    private init(_ port: UInt16, _ listener: Int32, _ state: State) {
        (self.port, self.listener, self.state) = (port, listener, state)
    }

    // Ends `accept`; the accepting thread closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Hands bytes on in both directions; the last of the two threads closes both sockets.
    private static func join(_ client: Int32, _ server: Int32, _ state: State) {
        state.peers.withLock { _ = $0.insert(client) }
        let open = ThreadPair()
        for (from, to, counts) in [(client, server, true), (server, client, false)] {
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 16_384)
                while case let count = recv(from, &buffer, buffer.count, 0), count > 0 {
                    if counts, !state.take(count) {
                        state.cutAll()
                        break
                    }
                    guard sendAll(Array(buffer.prefix(count)), to: to) else { break }
                }
                shutdown(from, Int32(SHUT_RDWR))
                shutdown(to, Int32(SHUT_RDWR))
                guard open.leave() else { return }
                state.peers.withLock { _ = $0.remove(client) }
                close(client)
                close(server)
            }
        }
    }
}

/// Counts the threads of one connection.
private final class ThreadPair: Sendable {
    private let count = Mutex(2)

    /// Whether the last one leaves.
    func leave() -> Bool {
        count.withLock { count in
            count -= 1
            return count == 0
        }
    }
}
