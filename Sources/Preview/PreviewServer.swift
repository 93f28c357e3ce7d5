package import Diagnostics
import Foundation
import Platform
import Synchronization

/// Serves the folder of a site on the loopback address.
///
/// One thread takes connections, one answers each of them and closes it. What a client may take is bounded: bytes of a
/// request, time, and connections at once, so that neither a slow client nor an endless line keeps others waiting.
package final class PreviewServer: Sendable {
    /// The address of the entry page, such as `http://127.0.0.1:8080/`.
    package let address: String
    private let site: PreviewSite
    private let limits: PreviewLimits
    private let listener: Int32
    /// Closing the one end wakes the thread that waits for connections.
    private let wake: (read: Int32, write: Int32)
    private let isStopped = Mutex(false)
    private let connections = Mutex(0)

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - folder: the folder of the site; it need not be there yet.
    ///   - port: the port; 0 takes a free one.
    ///   - root: where on its host the site lies once it is published, such as `/reports/`: it is served there too.
    /// - Throws: why the port is not available.
    package static func start(
        _ folder: String, port: UInt16, root: String = "/"
    ) throws(Diagnostic) -> PreviewServer {
        try start(folder, port: port, root: root, limits: PreviewLimits())
    }

    static func start(
        _ folder: String, port: UInt16, root: String = "/", limits: PreviewLimits
    ) throws(Diagnostic) -> PreviewServer {
        // A client that goes away is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        guard let (listener, taken) = listen(on: port), let wake = pipe() else {
            throw .error(
                "serve.port", "Cannot listen on 127.0.0.1:\(port)",
                hints: ["use '--port' with another number; 0 picks a free one"])
        }
        let server = PreviewServer(
            PreviewSite(folder: folder, root: root), limits, listener, wake, port: taken)
        Thread.detachNewThread { server.takeConnections() }
        return server
    }

    private init(
        _ site: PreviewSite, _ limits: PreviewLimits, _ listener: Int32, _ wake: (read: Int32, write: Int32),
        port: UInt16
    ) {
        (self.site, self.limits, self.listener, self.wake) = (site, limits, listener, wake)
        address = "http://127.0.0.1:\(port)/"
    }

    /// Shows this text in the place of every page, or the pages again when it is nil.
    package func show(trouble text: String?) { site.setTrouble(text) }

    /// Takes no more connections; those that are open end by themselves.
    package func stop() {
        guard
            isStopped.withLock({ isStopped in
                defer { isStopped = true }
                return !isStopped
            })
        else { return }
        close(wake.write)
    }

    private func takeConnections() {
        defer {
            close(listener)
            close(wake.read)
        }
        while true {
            var waits = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waits, 2, -1) < 0, errno != EINTR { return }
            if waits[1].revents != 0 { return }
            guard waits[0].revents != 0 else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                // Out of descriptors or memory: the clients that are there go first. The next wait would end at once.
                if errno != EINTR && errno != ECONNABORTED { usleep(10_000) }
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            take(client)
        }
    }

    private func take(_ client: Int32) {
        let isFull = connections.withLock { count in
            if count >= limits.connections { return true }
            count += 1
            return false
        }
        guard !isFull else {
            close(client)
            return
        }
        Thread.detachNewThread { [self] in
            PreviewConnection(client, limits).answer(by: site)
            close(client)
            connections.withLock { $0 -= 1 }
        }
    }
}

/// What a client of the preview may take.
struct PreviewLimits: Sendable {
    /// The most bytes of a request.
    var bytes = 16_384
    /// The most milliseconds until a request is whole, and then until its response was taken.
    var milliseconds = 10_000
    /// The most connections at once; others are closed.
    var connections = 64
}

/// A socket that listens on a port of the loopback address, and the port it has.
private func listen(on port: UInt16) -> (socket: Int32, port: UInt16)? {
    let descriptor = socket(AF_INET, streamSocket, 0)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && Platform.listen(descriptor, 128) == 0
                && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard isBound else {
        close(descriptor)
        return nil
    }
    return (descriptor, UInt16(bigEndian: place.sin_port))
}

private func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [0, 0]
    guard Platform.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}
