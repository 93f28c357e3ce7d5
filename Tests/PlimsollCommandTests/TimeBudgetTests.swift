import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import PlimsollCommand

/// A fetch whose time is over before a service has sent everything.
struct TimeBudgetTests {
    private func night(_ origin: String) async throws -> (folder: Folder, run: Run) {
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        try folder.write(
            "plimsoll.yml", "timeBudget: 2\n" + Quay.configuration(bugsnag: origin, day: 20, timeout: 600))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
        return (folder, run)
    }

    private func check(_ night: (folder: Folder, run: Run)) {
        let (folder, run) = night
        #expect(run.status == 1, "\(run.printed)")
        #expect(run.errors.contains("bugsnag: Time budget used up: "), "\(run.errors)")
        #expect(run.errors.contains("the run had 2 s for all its requests"))
        #expect(run.errors.contains("[transport.time-budget]"))
        #expect(run.errors.contains("hint: raise 'timeBudget' in the configuration"))
        #expect(run.output.contains("✓ buoy from files: 2 snapshots, "))
        #expect(!run.printed.contains(token))
        // The last good figures stand as stale; the other app is as new as ever.
        let page = folder.text("site/apps/ferry/index.html")
        #expect(page.contains("3,018") && page.contains("is-stale"))
        #expect(folder.text("site/apps/buoy/index.html").contains("5,019"))
    }

    @Test func aServiceThatNeverAnswersIsGivenUp() async throws {
        let silent = try FaultServer.start(.stall)
        check(try await night(silent.origin))
    }

    @Test func aServiceThatTricklesIsGivenUp() async throws {
        let slow = try FaultServer.start(
            .text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n["),
            .drip([UInt8(ascii: " ")], everyMilliseconds: 500))
        check(try await night(slow.origin))
    }

    /// What came before the silence is not reported as a whole night, and nothing is requested after it.
    @Test func aServiceThatStallsInTheMiddleGetsNoMoreRequests() async throws {
        let budget = RunBudget(milliseconds: 600_000)
        let server = try await BugsnagStub.start(lastDay: 19) { request in
            guard request.path == "/projects/p1/releases" else { return nil }
            budget.spend()
            try await Task.sleep(for: .seconds(3600))
            return nil
        }
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        try folder.write("token", token)
        try folder.write(
            "plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 20, secret: "tokenFile: token"))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let console = Console()
        let project = try loadProject(folder.path + "/plimsoll.yml", console, data: folder.path)
        let results = try await fetchAll(project, waiting: 1, exchanges: .live, budget: budget, console)
        await server.stop()
        #expect(server.requests.last?.path == "/projects/p1/releases")
        #expect(results.map(\.failure?.id) == ["transport.time-budget", nil])
        #expect(results.map(\.snapshots) == [0, 2])
    }
}
