import Foundation
import Testing

/// Commands on a machine whose clock is wrong: the site is the old or a whole new one, the archive is sound, and when the
/// clock is right again everything is as if it had never been wrong.
@Suite(.enabled(if: Attack.isPossible, "cc is needed to make the library that sets the clock"))
struct AttackClockTests {
    /// 2026-11-20T06:00:00Z.
    private static let now = 1_795_154_400
    /// The beginning of Unix time, long ago, a day ago, an hour ahead, a year ahead, the ends of 32 bits.
    private static let jumps = [
        0, 946_684_800, now - 86_400, now + 3_600, now + 31_536_000, 2_147_483_648, 4_294_967_296,
    ]

    private static let project = Task {
        let folder = try Folder()
        folder.removeAtExit()
        let text = Quay.configuration(day: 20).replacing("asOf: 2026-11-20T06:00:00Z\n", with: "")
        try folder.write("plimsoll.yml", text)
        try folder.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        try folder.write("more/lamp/2026-11-20.json", Quay.snapshot(of: "lamp", day: 20))
        let run = try await Attack(clock: now).run("run", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return (folder: folder, site: try folder.tree("site"))
    }

    @Test(arguments: jumps, ["fetch", "build", "run"])
    func wrongClockCostsNothing(clock: Int, command: String) async throws {
        let (template, site) = try await Self.project.value
        let folder = try Folder(copyOf: template)
        var problems: [String] = []
        let run = try await Attack(clock: clock).run(command, in: folder)
        if ![0, 1, 4].contains(run.status) { problems.append("ended with \(run.status): \(run.printed)") }
        let after = try folder.tree("site")
        if run.status == 4 || command == "fetch" {
            if after != site { problems.append("another site") }
        } else {
            // A site of that moment, and every page of it.
            let lost = Set(site.paths("index.html")).subtracting(after.paths("index.html"))
            if lost.count * 2 > site.paths("index.html").count { problems.append("most pages are gone") }
        }
        let sound = try await Program.run("archive", "check", in: folder)
        if sound.status != 0 { problems.append(sound.printed) }
        // A site of the future has pages that the one of now lacks: that a build stops for them is what is promised.
        let next = try await Attack(clock: Self.now).run("build", "--force", in: folder)
        if next.status != 0 { problems.append("then: \(next.printed)") }
        let again = try folder.tree("site").differences(from: site)
        // What was fetched, and when, is said on the pages of sources.
        if command == "build", again != [] { problems.append("then another site: \(again)") }
        #expect(problems == [])
        print("attack clock \(clock), \(command): tried 1, violated \(problems.count)")
    }
}
