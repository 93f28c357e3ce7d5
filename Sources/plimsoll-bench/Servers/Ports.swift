import Foundation
import Platform

/// A listening socket of the loopback address on a port that the system chose.
func listenOnFreePort() throws -> (listener: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, streamSocket, 0)
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                && getsockname(descriptor, $0, &length) == 0
        }
    }
    guard isListening else { throw BenchError("no free port: \(errno)") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// Prints the origin of a server on loopback, and serves each connection in a thread of its own until the process is ended.
func serveConnections(_ serve: @escaping @Sendable (_ peer: Int32) -> Void) throws {
    let (listener, port) = try listenOnFreePort()
    print("http://127.0.0.1:\(port)")
    fflush(nil)
    while case let peer = accept(listener, nil, nil), peer >= 0 {
        var on: Int32 = 1
        setsockopt(peer, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        Thread.detachNewThread {
            serve(peer)
            close(peer)
        }
    }
}

/// Returns when something accepts connections on the port; throws after ten seconds.
func waitForServer(onPort port: UInt16) throws {
    for _ in 0..<200 {
        let descriptor = socket(AF_INET, streamSocket, 0)
        defer { close(descriptor) }
        var address = loopback(port: port)
        let isUp = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isUp { return }
        usleep(50_000)
    }
    throw BenchError("nothing answers on port \(port)")
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
