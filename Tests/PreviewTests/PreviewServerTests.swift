import Foundation
import Glibc
import Testing

@testable import Preview

/// Clients that take too much: the others are served.
@Suite(.timeLimit(.minutes(2)))
struct PreviewServerTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "preview-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/apps", withIntermediateDirectories: true)
        try Data("entry".utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
        try Data("apps".utf8).write(to: URL(fileURLWithPath: folder + "/apps/index.html"))
    }

    private func port(_ server: PreviewServer) throws -> UInt16 {
        try #require(server.address.split(separator: ":").last.flatMap { UInt16($0.dropLast()) })
    }

    private func request(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

    @Test(arguments: [
        ("/", "200", "entry"), ("/apps/", "200", "apps"), ("/apps", "301", "Location: /apps/\r\n"),
        ("//apps", "301", "Location: /apps/\r\n"),
        ("///apps?x=//evil.example", "301", "Location: /apps/\r\n"),
        ("/%2F/apps", "301", "Location: /%2F/apps/\r\n"), ("/../etc", "404", ""), ("/nowhere", "404", ""),
    ])
    func answers(target: String, status: String, part: String) throws {
        let server = try PreviewServer.start(folder, port: 0)
        defer { server.stop() }
        let answer = exchange(request(target), try port(server))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(part.isEmpty || answer.contains(part), "\(answer)")
    }

    @Test(arguments: [
        "GET / HTTP/1.1", "GET http://evil.example/ HTTP/1.1", "GET / HTTP/2", "GET /", "\r\n", "/ / /",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example",
    ])
    func whatIsNoRequestIsRefused(head: String) throws {
        let server = try PreviewServer.start(folder, port: 0)
        defer { server.stop() }
        let isOne = head == "GET / HTTP/1.1"
        #expect(
            exchange(head + "\r\n\r\n", try port(server)).hasPrefix(isOne ? "HTTP/1.1 200" : "HTTP/1.1 400"))
    }

    /// Below, at and above the bound; the line that never ends is three million bytes long.
    @Test(arguments: [(1000, "200"), (16_384, "200"), (16_385, "431"), (3_000_000, "431")])
    func aRequestIsBounded(bytes: Int, status: String) throws {
        let server = try PreviewServer.start(folder, port: 0)
        defer { server.stop() }
        let head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        let fill = String(repeating: "x", count: bytes - head.utf8.count - 4)
        let isWhole = bytes < 100_000
        let answer = exchange(head + fill + (isWhole ? "\r\n\r\n" : ""), try port(server))
        // A client that goes on sending may lose the response, never the server.
        #expect(
            answer.hasPrefix("HTTP/1.1 \(status) ") || (!isWhole && answer.isEmpty), "\(answer.prefix(80))")
        #expect(exchange(request("/"), try port(server)).contains("entry"))
    }

    @Test func clientsThatWaitKeepNobodyElseWaiting() throws {
        let server = try PreviewServer.start(folder, port: 0)
        defer { server.stop() }
        let idle = (0..<20).map { _ in connected(to: (try? port(server)) ?? 0) }
        defer { idle.forEach { close($0) } }
        for client in idle { send(client, "GET /", 5, 0) }
        #expect(exchange(request("/"), try port(server)).contains("entry"))
    }

    @Test func aClientThatWaitsTooLongIsLetGo() throws {
        let server = try PreviewServer.start(
            folder, port: 0, limits: PreviewLimits(bytes: 1000, milliseconds: 200, connections: 2))
        defer { server.stop() }
        #expect(exchange("GET / HT", try port(server)) == "")
        let idle = (0..<2).map { _ in connected(to: (try? port(server)) ?? 0) }
        defer { idle.forEach { close($0) } }
        // Both are gone after a while, and then others are served.
        for client in idle { #expect(everything(from: client) == "") }
        while !exchange(request("/"), try port(server)).contains("entry") { sched_yield() }
    }

    @Test func stoppingTakesNoMoreConnections() throws {
        let server = try PreviewServer.start(folder, port: 0)
        let port = try port(server)
        let idle = connected(to: port)
        defer { close(idle) }
        server.stop()
        server.stop()
        while case let client = connected(to: port), client >= 0 { close(client) }
    }
}

private func connected(to port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    if isConnected { return descriptor }
    close(descriptor)
    return -1
}

private func everything(from client: Int32) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = recv(client, &chunk, chunk.count, 0), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

/// Sends a text and gives all that comes back.
private func exchange(_ text: String, _ port: UInt16) -> String {
    let client = connected(to: port)
    guard client >= 0 else { return "" }
    defer { close(client) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
    }
    return everything(from: client)
}
