import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Transport

/// A folder of its own that goes away with it.
final class ScratchFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("transport-\(UUID().uuidString)")
        .path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
}

struct ConditionalClientTests {
    private let folder = ScratchFolder()

    private func client(scope: String = "", _ bounds: (inout ResponseCache.Bounds) -> Void = { _ in })
        -> ConditionalClient
    {
        var limits = ResponseCache.Bounds()
        bounds(&limits)
        // A new cache each time: what it knows comes from the disk.
        return ConditionalClient(
            Client.make(), cache: ResponseCache(folder: folder.path, bounds: limits), scope: scope)
    }

    /// Returns 304 to the current tag, and counts in `X-Turn`.
    private func tagged(_ tag: @escaping @Sendable () -> String = { "\"a\"" }) async throws -> LoopbackServer
    {
        let turns = Mutex(0)
        return try await .start { request in
            let turn = turns.withLock { turns in
                turns += 1
                return turns
            }
            let headers = [("ETag", tag()), ("X-Turn", "\(turn)"), ("Set-Cookie", "session=s3cr3t")]
            let holds = request.header("If-None-Match") == tag()
            return holds
                ? StubResponse(status: 304, headers: headers)
                : .text("body of \(request.target) \(tag())", headers: headers)
        }
    }

    @Test func answersFromTheDiskWhenTheServerSaysItHolds() async throws {
        let server = try await tagged()
        let request = try Request.make(server.origin + "/x").with("Auth-Token", secret("s3cr3t"))
        let first = try await client().send(request)
        let second = try await client().send(request)
        #expect(first.text == second.text && second.status == 200)
        #expect(!first.isRevalidated && second.isRevalidated && second.headers["X-Turn"] == "2")
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"a\""])
        #expect(try await client().send(request).headers["Content-Type"] == "text/plain")
        await server.stop()
    }

    @Test func takesTheNewBodyWhenItChanged() async throws {
        let tag = Mutex("\"a\"")
        let server = try await tagged { tag.withLock { $0 } }
        let request = try Request.make(server.origin)
        _ = try await client().send(request)
        tag.withLock { $0 = "W/\"b\"" }
        let changed = try await client().send(request)
        #expect(changed.text == "body of / W/\"b\"" && !changed.isRevalidated)
        #expect(try await client().send(request).isRevalidated && folder.files.count == 1)
        await server.stop()
    }

    @Test func asksByDateWhenThereIsNoTag() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try await LoopbackServer.start { request in
            request.header("If-Modified-Since") == date
                ? StubResponse(status: 304) : .text("ok", headers: [("Last-Modified", date)])
        }
        _ = try await client().send(.make(server.origin))
        let second = try await client().send(.make(server.origin))
        #expect(second.text == "ok" && second.isRevalidated)
        await server.stop()
    }

    @Test func noTokenIsOnTheDisk() async throws {
        let server = try await tagged()
        var request = try Request.make(server.origin + "/s3cr3t?token=t0ken").with(
            "Auth-Token", secret("s3cr3t"))
        request.conceal(try secret("s3cr3t"))
        let answer = try await client().send(request)
        // The body echoes the path, and so the secret: it is not kept.
        #expect(answer.text.contains("s3cr3t") && folder.files.isEmpty)
        _ = try await client().send(
            .make(server.origin + "/?token=t0ken").with("Auth-Token", secret("s3cr3t")))
        let kept = try #require(folder.files.first)
        let head = String(decoding: try folder.bytes(kept), as: UTF8.self).split(separator: "\n")[1]
        #expect(
            head.contains("auth-token: *") && head.contains("/?token=<redacted>") && !head.contains("s3cr3t"))
        #expect(!head.contains("Set-Cookie"))
        await server.stop()
    }

    @Test func entriesDifferByKindOfCredentialOtherHeadersAndScope() async throws {
        let server = try await tagged()
        let plain = try Request.make(server.origin)
        _ = try await client().send(plain)
        for other in [
            try plain.with("Auth-Token", secret("one")), try plain.with("Accept", "text/csv"),
            try .make(server.origin + "/y"),
        ] {
            #expect(try await !client().send(other).isRevalidated)
        }
        #expect(try await !client(scope: "b").send(plain).isRevalidated)
        #expect(try await client().send(plain.with("Auth-Token", secret("two"))).isRevalidated)
        await server.stop()
    }

    @Test(arguments: [
        ("ETag: \"a\"", "Cache-Control: private, no-store", 200), ("ETag: \"a\"", "Vary: *", 200),
        ("X: y", "Cache-Control: max-age=60", 200), ("ETag: \"a\"", "X: y", 404),
        ("ETag: \"a\"", "X: y", 206),
    ])
    func keepsOnlyWhatMayBeKept(first: String, second: String, status: Int) async throws {
        let pairs = [first, second].map { line in
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            return (name: parts[0], value: parts[1])
        }
        let server = try await LoopbackServer.start(answering: .text("x", status: status, headers: pairs))
        _ = try await client().send(.make(server.origin))
        #expect(folder.files.isEmpty)
        await server.stop()
    }

    @Test func leavesPostsFilesAndOwnConditionsAlone() async throws {
        let server = try await tagged()
        _ = try await client().send(.make(server.origin, .post, body: "x"))
        let own = try Request.make(server.origin).with("If-None-Match", "\"a\"")
        #expect(try await client().send(own).status == 304 && folder.files.isEmpty)
        await server.stop()
    }

    @Test func requestsAgainWhenARedirectAnswersTheCondition() async throws {
        let isMoved = Mutex(false)
        let server = try await LoopbackServer.start { request in
            if request.path == "/new" {
                return request.header("If-None-Match") == nil ? .text("new") : StubResponse(status: 304)
            }
            return isMoved.withLock { $0 }
                ? .redirect(to: "/new") : .text("old", headers: [("ETag", "\"a\"")])
        }
        _ = try await client().send(.make(server.origin))
        isMoved.withLock { $0 = true }
        #expect(try await client().send(.make(server.origin)).text == "new")
        await server.stop()
    }

    @Test func ignoresWhatIsDamagedAtAnyByte() async throws {
        let server = try await tagged()
        _ = try await client().send(.make(server.origin))
        let name = try #require(folder.files.first)
        let whole = try folder.bytes(name)
        #expect(StoredResponse(bytes: whole) != nil)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1
            let read = StoredResponse(bytes: damaged)
            #expect(read == nil || read == StoredResponse(bytes: whole), "byte \(index)")
        }
        #expect((0..<whole.count).allSatisfy { StoredResponse(bytes: Array(whole.prefix($0))) == nil })
        try folder.write(Array(whole.dropLast()), to: name)
        #expect(try await !client().send(.make(server.origin)).isRevalidated)
        #expect(try await client().send(.make(server.origin)).isRevalidated)
        await server.stop()
    }

    @Test func keepsToItsBoundsAndDropsTheOldestUse() async throws {
        let server = try await tagged()
        let bounded = client { $0.entries = 3 }
        for path in ["a", "b", "c"] { _ = try await bounded.send(.make("\(server.origin)/\(path)")) }
        #expect(try await bounded.send(.make("\(server.origin)/a")).isRevalidated)
        _ = try await bounded.send(.make("\(server.origin)/d"))
        #expect(folder.files.count == 3)
        #expect(try await bounded.send(.make("\(server.origin)/a")).isRevalidated)
        #expect(try await !bounded.send(.make("\(server.origin)/b")).isRevalidated)
        let size = try folder.bytes(folder.files[0]).count
        let small = client { $0.bytes = size * 2 + size / 2 }
        _ = try await small.send(.make("\(server.origin)/e"))
        #expect(folder.files.count == 2)
        let tiny = client { $0.bytes = 10 }
        #expect(try await tiny.send(.make("\(server.origin)/f")).status == 200 && folder.files.count == 2)
        await server.stop()
    }

    @Test func aFolderThatCannotBeMadeOnlyMeansNoCache() async throws {
        let server = try await tagged()
        let client = ConditionalClient(Client.make(), cache: ResponseCache(folder: "/proc/nothing/here"))
        #expect(try await client.send(.make(server.origin)).status == 200)
        #expect(try await !client.send(.make(server.origin)).isRevalidated)
        await server.stop()
    }

    @Test func clearsAwayWhatAKilledRunLeft() async throws {
        let server = try await tagged()
        _ = try await client().send(.make(server.origin))
        let name = try #require(folder.files.first)
        try folder.write([1], to: ".\(name).1.1.partial")
        try folder.write([1], to: "notes.txt")
        #expect(try await client().send(.make(server.origin)).isRevalidated)
        #expect(folder.files == [name, "notes.txt"])
        await server.stop()
    }

    /// Later it could be what another source of this run is writing.
    @Test func clearsAwayBeforeItWrites() async throws {
        let server = try await tagged()
        _ = try await client().send(.make(server.origin))
        let name = try #require(folder.files.first)
        let path = "\(folder.path)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        // A folder in its place: nothing can be written there.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try folder.write([1], to: ".\(name).1.1.partial")
        #expect(try await !client().send(.make(server.origin)).isRevalidated)
        #expect(folder.files == [name])
        await server.stop()
    }

    @Test func filesAreForTheirOwnerOnly() async throws {
        let server = try await tagged()
        _ = try await client().send(.make(server.origin))
        let path = "\(folder.path)/\(try #require(folder.files.first))"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        await server.stop()
    }
}
