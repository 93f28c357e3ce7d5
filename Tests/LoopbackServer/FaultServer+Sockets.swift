import Platform

/// A listening socket on 127.0.0.1 and the free port the system chose for it.
func listenOnLoopback() throws -> (listener: Int32, port: UInt16) {
    let (listener, port) = try bindToLoopback()
    guard listen(listener, 64) == 0 else { throw CannotListen(code: errno) }
    return (listener, port)
}

/// A socket that has a free port of 127.0.0.1 and does not listen.
func bindToLoopback() throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
        }
    }
    guard isBound else { throw CannotListen(code: errno) }
    return (listener, UInt16(bigEndian: address.sin_port))
}

/// A connection to a port of 127.0.0.1; nil when nothing listens.
func connectToLoopback(_ port: UInt16) -> Int32? {
    let peer = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(peer, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    if isConnected { return peer }
    close(peer)
    return nil
}

private struct CannotListen: Error { var code: Int32 }

/// Reads up to the empty line that ends a request's header, or to the end of the connection.
func readRequest(_ peer: Int32) -> String {
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = recv(peer, &buffer, buffer.count, 0)
        guard count > 0 else { return String(decoding: seen, as: UTF8.self) }
        seen += buffer.prefix(count)
        if contains(Array("\r\n\r\n".utf8), in: seen) { return String(decoding: seen, as: UTF8.self) }
    }
}

private func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: needle) }
}

extension FaultServer.Step {
    func perform(on peer: Int32) {
        switch self {
        case .send(let bytes): _ = sendAll(bytes, to: peer)
        case .sendForever(let bytes): while sendAll(bytes, to: peer) {}
        case .drip(let bytes, let milliseconds):
            while sendAll(bytes, to: peer), !isGone(peer, within: milliseconds) {}
        case .stall: while !isGone(peer, within: -1) {}
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(peer, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
    }
}

func sendAll(_ bytes: [UInt8], to peer: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { cplatform_send(peer, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

/// Whether the peer closes within the time; -1 waits for ever.
private func isGone(_ peer: Int32, within milliseconds: Int32) -> Bool {
    var event = pollfd(fd: peer, events: Int16(POLLIN), revents: 0)
    guard poll(&event, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    return recv(peer, &buffer, buffer.count, 0) <= 0
}

/// A port of 127.0.0.1 that nothing has, for a program that is about to take it.
package func freeLoopbackPort() throws -> UInt16 {
    let (socket, port) = try bindToLoopback()
    close(socket)
    return port
}

/// Returns when something accepts connections on a port of 127.0.0.1.
package func untilLoopbackAnswers(_ port: UInt16) async throws {
    for _ in 0..<1000 {
        if let peer = connectToLoopback(port) {
            close(peer)
            return
        }
        try await Task.sleep(for: .milliseconds(20))
    }
    throw CannotListen(code: ECONNREFUSED)
}
