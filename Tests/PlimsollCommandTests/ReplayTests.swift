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
}
