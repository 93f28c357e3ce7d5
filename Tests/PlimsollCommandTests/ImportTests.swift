import Testing

/// A table is shown as it would be read, with the source that reads it.
struct ImportTests {
    @Test func previewShowsTheRowsAndTheMapping() async throws {
        let folder = try Folder()
        try folder.write("report.csv", "Datum;Total users;Crash-free rate;Land\n15/08/2026;6,460;99,5%;PT\n")
        let run = try await Program.run("import", "--preview", "report.csv", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        for words in [
            "report.csv: UTF-8, separated by semicolons, 1 row", "2026-08-15", "6460", "Not read: 'Land'",
            "- provider: files", "crash_free_users: \"Crash-free rate\"", "dates: day-first",
        ] {
            #expect(run.output.contains(words), "\(words) is not in \(run.output)")
        }
    }

    @Test func theProposedSourceReadsTheTable() async throws {
        let folder = try Folder()
        try folder.write("report.csv", "Datum;Total users;Crash-free rate\n15/08/2026;6,460;99,5%\n")
        try folder.write(
            "plimsoll.yml",
            """
            asOf: 2026-08-16T06:00:00Z
            apps:
              - id: sketchbook
                sources:
                  - provider: files
                    path: report.csv
                    columns: {date: Datum, users: Total users, crash_free_users: Crash-free rate}
            """)
        let run = try await Program.run("fetch", in: folder)
        #expect(run.output.hasPrefix("✓ sketchbook from files: 1 snapshot, "), "\(run.printed)")
    }

    /// A table that has rows of releases alone gives no totals.
    @Test func missingTotalsAreReported() async throws {
        let folder = try Folder()
        try folder.write("report.csv", "date,release,sessions\n2026-08-15,1.0,90\n")
        let run = try await Program.run("import", "--preview", "report.csv", in: folder)
        #expect(run.errors.contains("no totals by day, as every row has a release"), "\(run.printed)")
    }

    /// A table that gives no rate is said to give none, with the column that would complete a pair.
    @Test(
        arguments: [
            (
                "Date,DAU,Crash count\n2026-11-01,1000,5",
                "add the column 'crashed_users' or 'crash_free_users'"
            ),
            ("date,crashed_users,active_users\n2026-11-01,10,1000", "add the column 'users'"),
            (
                "date,sessions,users\n2026-11-01,10,1000",
                "'crashed_users' or 'crash_free_users', or 'crashed_sessions' or 'crash_free_sessions'"
            ),
            ("date,sessions,crashed_sessions,users\n2026-11-01,10,1,5", nil),
            ("date,sessions,crash_free_sessions\n2026-11-01,10,90%", nil),
            ("date,crashes\n2026-11-01,5", nil),
        ] as [(String, String?)])
    func whatGivesNoRateIsNoted(table: String, hint: String?) async throws {
        let folder = try Folder()
        try folder.write("report.csv", table + "\n")
        let run = try await Program.run("import", "--preview", "report.csv", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        #expect(run.errors.contains("[csv.no-rate]") == (hint != nil), "\(run.errors)")
        if let hint { #expect(run.errors.contains(hint), "\(run.errors)") }
    }

    @Test func aTableWithoutDaysIsAnError() async throws {
        let folder = try Folder()
        try folder.write("report.csv", "Land;Total users\nPT;5\n")
        let run = try await Program.run("import", "--preview", "report.csv", in: folder)
        #expect(run.status != 0)
        #expect(run.errors.contains("header has no column 'date'"), "\(run.errors)")
    }
}
