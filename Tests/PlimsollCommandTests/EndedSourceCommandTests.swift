import AppHealth
import Foundation
import Testing

/// A team that moves from one service to another keeps its history.
struct EndedSourceCommandTests {
    private static func configuration(_ instant: String, _ sources: String...) -> String {
        """
        title: Quay
        asOf: \(instant)
        apps:
          - id: buoy
            name: Buoy
            sources:
        \(sources.map { "      - \($0)\n" }.joined())
        """
    }

    private static let new = "{provider: files, id: new, path: new}"
    private static let old = "{provider: files, id: old, path: old"

    private static func snapshot(_ captured: String, _ days: ClosedRange<Int>, crashed: Int) -> String {
        let rows = days.map { day in
            "{\"date\":\"\(CivilDate(daysSinceEpoch: day))\",\"sessions\":9000,\"crashedSessions\":\(crashed)}"
        }
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"\(captured)",
            "provides":["sessions"],"health":[\(rows.joined(separator: ","))]}

            """
    }

    /// A project whose old source has the days to Nov 9, and whose new one those from Nov 10 to Nov 19.
    private func project() async throws -> Folder {
        let folder = try Folder()
        let change = try #require(CivilDate("2026-11-10")).daysSinceEpoch
        try folder.write(
            "old/a.json", Self.snapshot("2026-11-10T04:00:00Z", (change - 40)...(change - 1), crashed: 20))
        try folder.write(
            "new/a.json", Self.snapshot("2026-11-20T04:00:00Z", change...(change + 9), crashed: 90))
        try folder.write(
            "plimsoll.yml",
            Self.configuration("2026-11-20T05:00:00Z", Self.old + ", maxAge: 60d}", Self.new))
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.status == 0, "\(fetched.printed)")
        return folder
    }

    @Test func anEndedSourceKeepsItsDaysAndIsNotAsked() async throws {
        let folder = try await project()
        try FileManager.default.removeItem(atPath: folder.path + "/old")
        let ended = Self.old + ", until: 2026-11-09}"
        try folder.write("plimsoll.yml", Self.configuration("2026-11-20T06:00:00Z", ended, Self.new))
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.status == 0 && !fetched.printed.contains("from old"), "\(fetched.printed)")
        let built = try await Program.run("build", in: folder)
        #expect(built.status == 0, "\(built.printed)")
        let overview = folder.text("site/apps/buoy/index.md")
        #expect(overview.contains("to 2026-11-09 | 99.78%") && overview.contains("| 2026-11-10 | 99.00%"))
        #expect(!overview.contains("Stability Alert") && !overview.contains("stale"))
        #expect(folder.text("site/sources/index.md").contains("| old | files | Ended |"))
        #expect(folder.text("site/status.json").contains(#""state" : "ok""#))
        #expect(folder.text("site/feed.xml").contains("Plimsoll added a note to Tue, Nov 10, 2026"))
        let doctor = try await Program.run("doctor", in: folder)
        #expect(doctor.printed.contains("– buoy from old (files): ended 2026-11-09; sends no request"))
        #expect(doctor.status == 0, "\(doctor.printed)")
    }

    /// Whatever the setting was before, a build on what is there and one from nothing are the same.
    @Test func theEndIsPartOfWhatDecidesAPage() async throws {
        let folder = try await project()
        for more in [
            ", until: 2026-11-09}", ", until: 2026-11-05}", ", until: 2027-01-01}", ", maxAge: 60d}",
        ] {
            try folder.write(
                "plimsoll.yml", Self.configuration("2026-11-20T06:00:00Z", Self.old + more, Self.new))
            _ = try await Program.run("build", in: folder)
            let tree = try folder.tree("site")
            _ = try await Program.run("build", "--full", in: folder)
            #expect(try folder.tree("site").files == tree.files, "\(more)")
        }
    }

    @Test func daysOfASourceThatIsNotListedAreNamed() async throws {
        let folder = try await project()
        try folder.write("plimsoll.yml", Self.configuration("2026-11-20T06:00:00Z", Self.new))
        let said = "The archive has 40 days of 'old' of buoy that no listed source has"
        let line = "add '- { provider: files, id: old, until: 2026-11-09 }' to the sources of buoy"
        for command in ["build", "doctor", "check"] {
            let run = try await Program.run(command, in: folder)
            #expect(
                run.status == 0 && run.printed.contains(said) && run.printed.contains(line), "\(run.printed)")
            // A note is no warning.
            #expect(command != "check" || run.printed.contains("✓ No problems found\n"), "\(run.printed)")
        }
        // The line is one that works.
        try folder.write(
            "plimsoll.yml",
            Self.configuration(
                "2026-11-20T06:00:00Z", Self.new, "{ provider: files, id: old, until: 2026-11-09 }"))
        let built = try await Program.run("build", in: folder)
        #expect(built.status == 0 && !built.printed.contains("no listed source"), "\(built.printed)")
    }

    /// An end that is later than the last day: another source has the days between, and both are named.
    @Test(arguments: [
        ("2026-11-12", "3 days", "2026-11-10 to 2026-11-12: 'new' has 3 of 3 days"),
        ("2026-11-19", "10 days", "2026-11-10 to 2026-11-19: 'new' has 10 of 10 days"),
        ("2027-01-01", "53 days", "2026-11-10 to 2026-11-19: 'new' has 10 of 10 days"),
    ])
    func anEndAfterTheLastDayIsNamed(until: String, late: String, filled: String) async throws {
        let folder = try await project()
        let sources = [Self.old + ", maxAge: 60d, until: \(until)}", Self.new]
        try folder.write(
            "plimsoll.yml", Self.configuration("2026-11-20T06:00:00Z", sources[0], sources[1]))
        let said = "'until' of 'old' of buoy is \(late) after its last day, 2026-11-09"
        for command in ["build", "doctor", "check"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 0 && run.printed.contains(said), "\(run.printed)")
            #expect(run.printed.contains(filled) && run.printed.contains("'until: 2026-11-09'"))
            #expect(!run.printed.contains("nothing of"), "\(run.printed)")
        }
        let overview = folder.text("site/apps/buoy/index.md")
        #expect(overview.contains("2026-11-09 | 99.78%") && overview.contains("| 2026-11-10 | 99.00%"))
    }

    /// Two sources of the same without an end: what only the one listed last has is on no page, before or after the days of
    /// the other one.
    @Test func daysThatAnotherSourceCoversAreCounted() async throws {
        let folder = try await project()
        let old = Self.old + ", maxAge: 60d}"
        for (sources, days) in [
            ([Self.new, old], "40 days of 'old' of buoy that no page shows, as 'new'"),
            ([old, Self.new], "10 days of 'new' of buoy that no page shows, as 'old'"),
        ] {
            try folder.write(
                "plimsoll.yml", Self.configuration("2026-11-20T06:00:00Z", sources[0], sources[1]))
            for command in ["build", "doctor", "check"] {
                let run = try await Program.run(command, in: folder)
                #expect(run.printed.contains("The archive has \(days) provides the same"), "\(run.printed)")
                #expect(run.printed.contains("write 'until: 2026-11-09' into 'old'"))
            }
        }
    }

    /// An app that got another id, or is listed no more: its days are named, with the line that brings them back.
    @Test func daysOfAnAppThatIsNotListedAreNamed() async throws {
        let folder = try await project()
        let change = try #require(CivilDate("2026-11-10")).daysSinceEpoch
        let snapshot = Self.snapshot("2026-11-20T04:00:00Z", change...(change + 9), crashed: 90)
        try folder.write("bell/a.json", snapshot.replacing("buoy", with: "bell"))
        let configuration = Self.configuration(
            "2026-11-20T06:00:00Z", "{provider: files, id: new, path: bell}"
        ).replacing("buoy", with: "bell")
        try folder.write("plimsoll.yml", configuration)
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.status == 0, "\(fetched.printed)")
        let line = """
            { id: buoy, sources: [{ provider: files, id: new, until: 2026-11-19 }, \
            { provider: files, id: old, until: 2026-11-09 }] }
            """
        for command in ["build", "doctor", "check"] {
            let run = try await Program.run(command, in: folder)
            #expect(
                run.status == 0
                    && run.printed.contains("50 days of the app 'buoy', which is not listed")
                    && run.printed.contains("buoy: 50 days, 2026-10-01 to 2026-11-19; no page shows them")
                    && run.printed.contains("add '- \(line)' to the apps"), "\(run.printed)")
        }
        // The line is one that works.
        try folder.write("plimsoll.yml", configuration + "  - \(line)\n")
        let built = try await Program.run("build", in: folder)
        #expect(built.status == 0 && !built.printed.contains("not listed"), "\(built.printed)")
        #expect(folder.text("site/apps/buoy/index.md").contains("2026-11-09 | 99.78%"))
    }

    /// On the two days after its last one it is asked: only then that day is whole, in whatever zone.
    @Test(arguments: [
        ("2026-11-20", true), ("2026-11-18", true), ("2026-11-17", false), ("2026-11-09", false),
    ])
    func itIsAskedUntilItsLastDayIsWhole(until: String, isAsked: Bool) async throws {
        let folder = try await project()
        try folder.write(
            "plimsoll.yml",
            Self.configuration(
                "2026-11-20T06:00:00Z", Self.old + ", maxAge: 60d, until: \(until)}", Self.new))
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.printed.contains("buoy from old") == isAsked, "\(fetched.printed)")
    }

    /// No credential is needed, nor anything else that says what to ask.
    @Test func anEndedSourceNeedsNoCredentials() async throws {
        let folder = try await project()
        try folder.write(
            "plimsoll.yml",
            Self.configuration("2026-11-20T06:00:00Z", Self.new, "{provider: sentry, until: 2026-11-09}"))
        let fetched = try await Program.run("fetch", in: folder)
        #expect(fetched.status == 0, "\(fetched.printed)")
    }
}
