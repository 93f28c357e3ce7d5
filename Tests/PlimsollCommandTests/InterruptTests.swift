import Foundation
import LoopbackServer
import Platform
import Testing

/// A fetch that a person, or the machine, calls off.
@Suite(.timeLimit(.minutes(5)))
struct InterruptTests {
    @Test(arguments: [SIGINT, SIGTERM])
    func anInterruptedFetchKeepsWhatIsWholeAndLeavesTheSite(signal: Int32) async throws {
        let silent = try FaultServer.start(.stall)
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: silent.origin, day: 20))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let before = try folder.tree()
        let program = try Started(
            Program.path, ["run"], in: folder.path, environment: ["QUAY_TOKEN": token])
        try await program.prints("[1/2]")
        for await _ in silent.arrivals { break }
        kill(program.number, signal)
        let run = try await program.end()
        #expect(run.status == 4, "\(run.printed)")
        #expect(
            run.errors.contains(
                "Fetch interrupted; 1 of 2 sources stored [fetch.interrupted]\n  ferry/bugsnag is missing\n"),
            "\(run.errors)")
        #expect(!run.printed.contains(token))
        #expect(try folder.tree().differences(from: before).filter { !$0.hasPrefix("archive.sqlite") } == [])
        // The source that was whole is in the archive and the other has not failed, and the next run goes on.
        let shown = try await Program.run("build", in: folder)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(folder.text("site/apps/buoy/index.html").contains("5,019"))
        #expect(!folder.text("site/sources/index.html").contains("canceled"))
        let server = try await BugsnagStub.start(lastDay: 19)
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 20))
        let next = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(next.status == 0, "\(next.errors)")
        #expect(folder.text("site/apps/ferry/index.html").contains("3,019"))
        #expect(folder.text("site/apps/buoy/index.html").contains("5,019"))
    }

    /// Also a wait between two attempts ends at once.
    @Test func anInterruptedFirstFetchKeepsWhatIsWhole() async throws {
        let server = try await LoopbackServer.start(
            answering: StubResponse(status: 503, headers: [("Retry-After", "200")]))
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 20))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let program = try Started(
            Program.path, ["fetch"], in: folder.path, environment: ["QUAY_TOKEN": token])
        try await program.prints("[1/2]")
        kill(program.number, SIGINT)
        let run = try await program.end()
        await server.stop()
        #expect(run.status == 4, "\(run.printed)")
        #expect(run.errors.contains("1 of 2 sources stored"), "\(run.errors)")
        let check = try await Program.run("archive", "check", in: folder)
        #expect(check.status == 0, "\(check.errors)")
    }
}
