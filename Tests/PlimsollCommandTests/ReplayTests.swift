import AppHealth
import Archive
import LoopbackServer
import Synchronization
import Testing

/// What was recorded once is replayed without any request.
struct ReplayTests {
    @Test func aRecordingWithASecondAttemptLeadsToTheSameFigures() async throws {
        let isFirst = Mutex(true)
        let server = try await BugsnagStub.start(lastDay: 18) { request in
            guard request.path.hasSuffix("stability_trend") else { return nil }
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return fails ? .text("busy", status: 503) : nil
        }
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        let environment = ["QUAY_TOKEN": token]
        let recorded = try await Program.run(
            "fetch", "--record", "exchanges", in: folder, environment: environment)
        await server.stop()
        let replayed = try await Program.run(
            "fetch", "--replay", "exchanges", in: folder, environment: environment)
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.output.contains("✓ ferry from bugsnag: 1 snapshot, 0 new or changed values"))
        #expect(try folder.tree().files(with: token) == [])
    }

    /// Requests name the time: a recording is replayed at that of its fetch, on any day and any machine.
    @Test func aRecordingIsReplayedAtTheTimeOfItsFetch() async throws {
        let server = try await BugsnagStub.start(lastDay: 18) { _ in nil }
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        let environment = ["QUAY_TOKEN": token]
        _ = try await Program.run("fetch", "--record", "exchanges", in: folder, environment: environment)
        await server.stop()
        #expect(folder.text("exchanges/instant.txt") == "2026-11-19T06:00:00Z\n")
        try folder.write(
            "plimsoll.yml",
            Quay.configuration(bugsnag: server.origin, day: 24) + "archive: elsewhere.sqlite\n")
        let replayed = try await Program.run(
            "fetch", "--replay", "exchanges", in: folder, environment: environment)
        #expect(replayed.output.contains("✓ ferry from bugsnag: 1 snapshot"), "\(replayed.printed)")
        let archive = try Archive(at: folder.path + "/elsewhere.sqlite", for: .reading)
        let captures = try archive.captures(of: Slug(anyText: "ferry"), source: Slug(anyText: "bugsnag"))
        #expect(captures.map(\.description) == ["2026-11-19T06:00:00Z"])
    }

    /// The folder that somebody made for it and went to.
    @Test(arguments: [".", "./", "./rec", "rec/"])
    func anyPathIsAFolderToRecordInto(path: String) async throws {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        try folder.write("empty/hidden/.keep", "")
        let run = try await Program.run(
            Program.path, ["fetch", "--config", "../plimsoll.yml", "--record", path],
            in: folder.path + "/empty")
        #expect(run.status == 0 && run.output.contains("✓ lamp"), "\(run.printed)")
    }
}
