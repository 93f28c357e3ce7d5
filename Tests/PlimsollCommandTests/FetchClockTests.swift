import LoopbackServer
import Testing

@testable import PlimsollCommand

/// A night on a machine by whose clock it is another day than by that of the services.
struct FetchClockTests {
    private func service(at date: String) throws -> FaultServer {
        try FaultServer.start(
            .text(
                "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
            ))
    }

    @Test func aNightWithAWrongClockBuildsAndSendsNothing() async throws {
        let server = try service(at: "Sat, 20 Nov 2010 06:00:00 GMT")
        let folder = try Folder(copyOf: try await FirstNight.shared.folder)
        let before = folder.text("site/apps/ferry/index.html")
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 20))
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
        #expect(run.status == 4, "\(run.printed)")
        #expect(run.errors.contains("days ahead of that of every service; nothing was fetched from them"))
        #expect(run.errors.contains("[fetch.clock]"))
        #expect(run.errors.contains("hint: set the clock that is wrong"))
        #expect(!run.printed.contains(token))
        #expect(folder.text("site/apps/ferry/index.html") == before)
        // No failure of that time is in the archive: the next night is as if there had been none.
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 20))
        let built = try await Program.run("build", in: folder, environment: ["QUAY_TOKEN": token])
        #expect(built.status == 0, "\(built.printed)")
        #expect(!folder.text("site/sources/index.html").contains("Clocks differ"))
    }
}
