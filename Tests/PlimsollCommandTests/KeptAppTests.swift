import AppHealth
import Testing

/// An app without news keeps its pages as long as they say the same, and no longer.
struct KeptAppTests {
    private static func configuration(_ instant: String, _ more: String = "") -> String {
        """
        title: Quay
        asOf: \(instant)
        apps:
          - id: buoy
            name: Buoy
            sources: [{provider: files, path: data\(more)}]

        """
    }

    private static func snapshot(_ date: String, _ rows: String, more: String = "") -> String {
        """
        {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"\(date)",
        "provides":["sessions","releases"],"health":[\(rows)]\(more)}

        """
    }

    private static func day(_ date: String) -> String {
        #"{"date":"\#(date)","sessions":9000,"crashedSessions":20}"#
    }

    /// Builds as of an instant on what is there, and again from nothing: both are the same. Returns what the first printed.
    private func build(_ instant: String, _ more: String = "", in folder: Folder) async throws -> Run {
        try folder.write("plimsoll.yml", Self.configuration(instant, more))
        let kept = try await Program.run("build", in: folder)
        let tree = try folder.tree("site")
        let whole = try await Program.run("build", "--full", in: folder)
        #expect(whole.status == kept.status)
        #expect(try folder.tree("site").files == tree.files, "as of \(instant)")
        return kept
    }

    private func fetch(_ instant: String, in folder: Folder) async throws {
        try folder.write("plimsoll.yml", Self.configuration(instant))
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.errors.contains("✓ buoy"), "\(fetched.printed)")
    }

    /// What was skipped is on its pages, and makes no other pages by itself.
    @Test func anAppWithAWarningIsKept() async throws {
        let folder = try Folder()
        try folder.write(
            "data/buoy-2026-11-20.csv",
            """
            # app: buoy
            # capturedAt: 2026-11-20T04:00:00Z
            date,sessions,crashed_sessions
            2026-11-19,9000,20
            bogus,1,2

            """)
        try await fetch("2026-11-20T05:00:00Z", in: folder)
        #expect(try await build("2026-11-20T06:00:00Z", in: folder).errors.contains("Building Buoy"))
        #expect(folder.text("site/sources/index.md").contains("bogus"))
        #expect(try await build("2026-11-20T07:00:00Z", in: folder).errors.contains("Keeping Buoy"))
    }

    /// A source that brought a snapshot every day is stale when none came for 36 hours, whatever its last fetch said; one
    /// that came once, after 45 days; with `maxAge`, after that.
    @Test(
        arguments: [
            (["2026-11-19T04:00:00Z"], "2026-11-21T15:59:59Z", "2026-11-21T16:00:00Z", ""),
            ([], "2027-01-04T03:59:59Z", "2027-01-04T04:00:00Z", ""),
            ([], "2026-11-22T03:59:59Z", "2026-11-22T04:00:00Z", ", maxAge: 2d"),
        ])
    func aSourceThatGoesSilentIsStale(
        row: (earlier: [String], good: String, stale: String, more: String)
    ) async throws {
        let folder = try Folder()
        for date in row.earlier {
            try folder.write("data/a.json", Self.snapshot(date, Self.day("2026-11-18")))
        }
        try folder.write("data/b.json", Self.snapshot("2026-11-20T04:00:00Z", Self.day("2026-11-19")))
        try await fetch("2026-11-20T05:00:00Z", in: folder)
        _ = try await build(row.good, row.more, in: folder)
        #expect(folder.text("site/status.json").contains(#""state" : "ok""#))
        let stale = try await build(row.stale, row.more, in: folder)
        #expect(stale.errors.contains("Building Buoy"))
        #expect(folder.text("site/status.json").contains(#""state" : "degraded""#))
        #expect(folder.text("site/apps/buoy/index.md").contains("Nothing recent from 'files'."))
        #expect(folder.text("site/sources/index.md").contains("nothing newer than 2026-11-20T04:00:00Z"))
    }

    /// West of UTC a day is over hours later. The pages say so then, also where nothing new was fetched; a part of a day
    /// stays one until the rest has come.
    @Test func aDayEndsInTheZoneOfItsSource() async throws {
        let folder = try Folder()
        let zone = #","source":{"name":"g","zone":"America/New_York"}"#
        let rows = [Self.day("2026-11-18"), Self.day("2026-11-19")].joined(separator: ",")
        func lastDay() -> String { folder.text("site/apps/buoy/index.md") }
        try folder.write("data/a.json", Self.snapshot("2026-11-20T02:00:00Z", rows, more: zone))
        try await fetch("2026-11-20T02:05:00Z", in: folder)
        #expect(try await build("2026-11-20T02:05:00Z", in: folder).errors.contains("Building Buoy"))
        #expect(lastDay().contains("of 9,000 sessions on Wed, Nov 18, 2026"))
        #expect(!lastDay().contains("2026-11-19") && !lastDay().contains("Nov 19"))
        #expect(try await build("2026-11-20T04:59:59Z", in: folder).errors.contains("Keeping Buoy"))
        #expect(try await build("2026-11-20T05:00:00Z", in: folder).errors.contains("Building Buoy"))
        #expect(lastDay().contains("of 9,000 sessions on Wed, Nov 18, 2026"))
        #expect(lastDay().contains("| 2026-11-19 | – | – | No data |"))
        try folder.write("data/b.json", Self.snapshot("2026-11-20T05:30:00Z", rows, more: zone))
        try await fetch("2026-11-20T05:35:00Z", in: folder)
        #expect(try await build("2026-11-20T05:35:00Z", in: folder).errors.contains("Building Buoy"))
        #expect(lastDay().contains("of 9,000 sessions on Thu, Nov 19, 2026"))
    }

    /// A message names the place of the note as the file is now.
    @Test func aNoteThatMovedIsReportedWhereItIs() async throws {
        let folder = try Folder()
        let text = "app: buoy\nat: 2026-11-19\nrelease: 9.9\n---\n\nSlow.\n"
        let releases = #","releases":[{"version":"4.3.0"}]"#
        try folder.write(
            "data/a.json", Self.snapshot("2026-11-20T04:00:00Z", Self.day("2026-11-19"), more: releases))
        try folder.write("Content/notes/slow.md", "---\n" + text)
        try await fetch("2026-11-20T05:00:00Z", in: folder)
        let first = try await build("2026-11-20T07:00:00Z", in: folder)
        #expect(first.printed.contains("slow.md:4:"), "\(first.printed)")
        try folder.write("Content/notes/slow.md", "---\n# one\n# two\n" + text)
        let second = try await build("2026-11-20T07:00:00Z", in: folder)
        #expect(second.printed.contains("slow.md:6:"), "\(second.printed)")
    }

    /// A release that is announced for later today ends a mute then.
    @Test func aMuteEndsWithTheReleaseThatWasAnnounced() async throws {
        let folder = try Folder()
        try folder.write(
            "Content/mutes.yml",
            "- {app: buoy, kind: newIssue, untilVersion: 4.3.0, by: Ana, why: known}\n")
        let releases = #","releases":[{"version":"4.3.0","releasedAt":"2026-11-20T12:00:00Z"}]"#
        try folder.write(
            "data/a.json", Self.snapshot("2026-11-20T04:00:00Z", Self.day("2026-11-19"), more: releases))
        try await fetch("2026-11-20T05:00:00Z", in: folder)
        #expect(!(try await build("2026-11-20T07:00:00Z", in: folder)).printed.contains("mute.expired"))
        #expect(try await build("2026-11-20T13:00:00Z", in: folder).printed.contains("mute.expired"))
    }
}
