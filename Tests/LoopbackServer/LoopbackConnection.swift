import Platform

/// A connection to a port of 127.0.0.1 over which bytes go as they are: no client corrects them.
package final class LoopbackConnection: Sendable {
    private let peer: Int32

    /// Connects; nil when nothing listens. What does not answer within half a minute ends.
    package init?(to port: UInt16) {
        guard let peer = connectToLoopback(port) else { return nil }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        self.peer = peer
    }

    deinit { close(peer) }

    /// Sends a text; false when the other side took only a part of it.
    @discardableResult
    package func send(_ text: String) -> Bool { sendAll(Array(text.utf8), to: peer) }

    /// All that comes until the other side ends.
    package func everything() -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(peer, &chunk, chunk.count, 0), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Sends a text to a port of 127.0.0.1 and gives all that comes back; nothing when nothing listens.
package func exchange(_ text: String, _ port: UInt16) -> String {
    guard let connection = LoopbackConnection(to: port) else { return "" }
    connection.send(text)
    return connection.everything()
}
