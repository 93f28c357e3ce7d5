import Foundation
import LoopbackServer
import Testing

/// What a second fetch requests when the service tags its responses.
struct ConditionalTests {
    private static let other = "an0ther-1a2b3c4d5e6f"
    private static let cache = "archive.sqlite.cache"

    /// A folder after one fetch from a server that tags its responses.
    private func fetched(from server: LoopbackServer) async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
        #expect(run.status == 0, "\(run.errors)")
        return folder
    }

    private func again(_ folder: Folder, token: String = token, _ more: String...) async throws -> Run {
        try await Program.run(
            Program.path, ["fetch"] + more, in: folder.path, environment: ["QUAY_TOKEN": token])
    }

    @Test func aSecondFetchRequestsOnlyWhatHasChanged() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try await fetched(from: server)
        let first = server.requests.count
        let site = try folder.tree("site")
        let run = try await again(folder)
        await server.stop()
        let second = server.requests.dropFirst(first)
        // A busy machine may make a request be tried twice.
        #expect(Set(second.map(\.target)) == Set(server.requests.prefix(first).map(\.target)))
        #expect(second.allSatisfy { $0.header("If-None-Match") != nil })
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("✓ ferry from bugsnag: 1 snapshot, 0 new or changed values"))
        _ = try await Program.run("build", in: folder)
        #expect(try folder.tree("site").differences(from: site) == [])
    }

    @Test func keptAnswersAreTheOwnersAndHoldNoToken() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try await fetched(from: server)
        await server.stop()
        let kept = try folder.tree(Self.cache).files.keys
        #expect(kept.count == Set(server.requests.map(\.target)).count)
        for path in [Self.cache] + kept.map({ "\(Self.cache)/\($0)" }) {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(path)")[
                .posixPermissions]
            #expect(mode as? Int == (path == Self.cache ? 0o700 : 0o600), "\(path)")
        }
        #expect(try folder.tree().files(with: token) == [])
    }

    @Test func twoTokensNeverShareAnAnswer() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18, tokens: [token, Self.other])
        let folder = try await fetched(from: server)
        let first = server.requests.count
        let run = try await again(folder, token: Self.other)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.dropFirst(first).allSatisfy { $0.header("If-None-Match") == nil })
        #expect(try folder.tree().files(with: Self.other) == [])
    }

    @Test func aDamagedCacheIsDroppedWithAWarning() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try await fetched(from: server)
        let first = server.requests.count
        for name in try folder.tree(Self.cache).files.keys {
            try folder.write("\(Self.cache)/\(name)", "plimsoll-response 1\nnot what it was")
        }
        let run = try await again(folder)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("warning: 15 cached responses could not be read"))
        #expect(run.errors.contains("[transport.cache-damaged]"))
        #expect(server.requests.dropFirst(first).allSatisfy { $0.header("If-None-Match") == nil })
        #expect(run.output.contains("0 new or changed values"))
    }

    @Test func aCacheThatCannotBeWrittenIsNoFailure() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write(Self.cache, "in its place")
        let run = try await again(folder)
        await server.stop()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("[transport.cache-unwritten]"))
    }

    @Test func aRecordingNeitherUsesNorMakesACache() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try await fetched(from: server)
        let first = server.requests.count
        let kept = try folder.tree(Self.cache)
        let run = try await again(folder, "--record", "exchanges")
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.dropFirst(first).allSatisfy { $0.header("If-None-Match") == nil })
        #expect(try folder.tree(Self.cache) == kept)
        await server.stop()
        let replayed = try await again(folder, "--replay", "exchanges")
        #expect(replayed.status == 0, "\(replayed.errors)")
    }
}
