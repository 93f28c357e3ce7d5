import Foundation
import LoopbackServer
import Platform
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

    /// A site that lies below a path of its host is served there too, as its page of unknown addresses links there.
    @Test(arguments: [
        ("/", "200", "entry"), ("/t/", "200", "entry"), ("/t/apps/", "200", "apps"),
        ("/t/apps", "301", "Location: /t/apps/\r\n"), ("/t/none", "404", ""), ("/t/../etc", "404", ""),
        ("/tapps/", "404", ""),
    ])
    func siteIsServedBelowItsPath(target: String, status: String, part: String) throws {
        let server = try PreviewServer.start(folder, port: 0, root: "/t/")
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

    @Test func clientsThatWaitKeepNoOthersWaiting() throws {
        let server = try PreviewServer.start(folder, port: 0)
        defer { server.stop() }
        let port = try port(server)
        let idle = try (0..<20).map { _ in try #require(LoopbackConnection(to: port)) }
        for client in idle { client.send("GET /") }
        withExtendedLifetime(idle) { #expect(exchange(request("/"), port).contains("entry")) }
    }

    @Test func aClientThatWaitsTooLongIsLetGo() throws {
        let server = try PreviewServer.start(
            folder, port: 0, limits: PreviewLimits(bytes: 1000, milliseconds: 200, connections: 2))
        defer { server.stop() }
        #expect(exchange("GET / HT", try port(server)) == "")
        let port = try port(server)
        let idle = try (0..<2).map { _ in try #require(LoopbackConnection(to: port)) }
        // Both are gone after a while, and then others are served.
        for client in idle { #expect(client.everything() == "") }
        while !exchange(request("/"), port).contains("entry") { sched_yield() }
    }

    @Test func stoppingTakesNoMoreConnections() throws {
        let server = try PreviewServer.start(folder, port: 0)
        let port = try port(server)
        let idle = LoopbackConnection(to: port)
        server.stop()
        server.stop()
        while LoopbackConnection(to: port) != nil { sched_yield() }
        withExtendedLifetime(idle) {}
    }
}
