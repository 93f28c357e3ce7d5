import Diagnostics
import Dispatch
import LoopbackServer
import Testing

@testable import Transport

/// What a cache says of itself after a run.
struct CacheWarningsTests {
    private let folder = ScratchFolder()

    private func send(_ server: LoopbackServer, _ cache: ResponseCache, _ paths: String...) async throws {
        let client = ConditionalClient(Client.make(), cache: cache)
        for path in paths { _ = try await client.send(.make("\(server.origin)/\(path)")) }
    }

    private func tagging() async throws -> LoopbackServer {
        try await .start { .text($0.path, headers: [("ETag", "\"\($0.path)\"")]) }
    }

    @Test func damageIsCountedOnceForEachAnswer() async throws {
        let server = try await tagging()
        let first = ResponseCache(folder: folder.path)
        try await send(server, first, "a", "b", "c")
        #expect(first.warnings == [])
        for name in folder.files.prefix(2) { try folder.write([7], to: name) }
        let second = ResponseCache(folder: folder.path)
        try await send(server, second, "a", "b", "c", "a", "b", "c")
        #expect(second.warnings.map(\.id) == ["transport.cache-damaged"])
        #expect(second.warnings.first?.summary.hasPrefix("2 cached responses could not be read") == true)
        let third = ResponseCache(folder: folder.path)
        try await send(server, third, "a", "b", "c")
        #expect(third.warnings == [])
        await server.stop()
    }

    /// Sources of one run begin to write at the same moment: none clears away what another one is writing.
    @Test func sourcesThatBeginAtOnceKeepAll() {
        for round in 0..<20 {
            let cache = ResponseCache(folder: "\(folder.path)/\(round)")
            DispatchQueue.concurrentPerform(iterations: 8) { source in
                KeptBytes(cache, scope: "\(source)").keep([7], as: "report")
            }
            #expect(cache.warnings == [])
            #expect((0..<8).allSatisfy { KeptBytes(cache, scope: "\($0)")["report"] == [7] })
        }
    }

    @Test func whatCannotBeKeptIsReportedOnce() async throws {
        let server = try await tagging()
        let cache = ResponseCache(folder: "/proc/nothing/here")
        try await send(server, cache, "a", "b")
        #expect(cache.warnings.map(\.id) == ["transport.cache-unwritten"])
        await server.stop()
    }
}
