import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct CSVSnapshotTests {
    private let reader = CSVSnapshotReader(
        app: app("sketchbook"), sourceID: Slug(anyText: "files"), document: "t.csv",
        fileTime: Instant(secondsSinceEpoch: 0))

    private func read(_ text: String, _ layout: CSVLayout = CSVLayout()) throws -> Snapshot {
        var reader = reader
        reader.layout = layout
        return try reader.read(Array((text.hasSuffix("\n") ? text : text + "\n").utf8)).snapshot
    }

    /// Cut anywhere, a table gives the rows that are whole and never another number.
    @Test(arguments: ["\n", "\r\n"]) func aTableThatIsCutGivesNoWrongNumber(lineEnd: String) throws {
        let rows = ["2026-11-16,1200,11", "2026-11-17,\"1300\",12", "2026-11-18,1400,13"]
        let bytes = Array(
            (["date,sessions,crashed_sessions"] + rows).map { $0 + lineEnd }.joined().utf8)
        let whole = try reader.read(bytes).snapshot
        #expect(whole.health.count == 3 && whole.warnings == [])
        for count in 0..<bytes.count {
            guard let cut = try? reader.read(Array(bytes.prefix(count))).snapshot else { continue }
            #expect(cut.health.allSatisfy(whole.health.contains), "\(count) bytes")
            let isBetween = bytes[count - 1] == 0x0A || bytes[count - 1] == 0x0D
            #expect(cut.warnings.isEmpty == isBetween, "\(count) bytes: \(cut.warnings)")
        }
        let last = try reader.read(Array(bytes.dropLast(lineEnd.utf8.count + 1))).snapshot
        #expect(last.health.count == 2 && last.warnings.map(\.id) == ["csv.cut"])
    }

    /// A day that may still run in a zone that is not known is not read; a table named by the day has it.
    @Test(
        arguments: [
            ("America/LosAngeles", "2026-11-19T11:59:59Z", ["2026-11-17"], ["files.zone"]),
            ("America/LosAngeles", "2026-11-19T12:00:00Z", ["2026-11-17", "2026-11-18"], ["files.zone"]),
            ("nowhere", "2026-11-18T00:00:00Z", ["2026-11-18"], ["files.zone"]),
            ("-08:00", "2026-11-19T02:00:00Z", ["2026-11-17", "2026-11-18"], []),
            ("UTC", "2026-11-19T02:00:00Z", ["2026-11-17", "2026-11-18"], []),
        ] as [(String, String, [String], [String])])
    func unknownZoneOfATableIsReported(
        zone: String, capturedAt: String, days: [String], reported: [String]
    ) throws {
        let snapshot = try read(
            "# capturedAt: \(capturedAt)\n# zone: \(zone)\ndate,sessions,crashed_sessions\n"
                + "2026-11-17,12,1\n2026-11-18,14,1\n")
        #expect(snapshot.health.map(\.date.description) == days)
        let covered = snapshot.coverage.filter { $0.fact == .sessions }.flatMap(\.boundedDays)
        #expect(covered.map(\.description) == days)
        #expect(snapshot.warnings.map(\.id) == reported)
        #expect(snapshot.warnings.allSatisfy { $0.location == .file(path: "t.csv", line: 2) })
    }

    @Test func daysAfterManyInvalidLinesAreThere() throws {
        let invalid = String(repeating: "\"2026\"x,1,2\n", count: 1500)
        let snapshot = try read(
            "date,sessions,crashed_sessions\n2026-11-17,1200,11\n\(invalid)2026-11-18,1400,13\n")
        #expect(snapshot.health.map(\.date.description) == ["2026-11-17", "2026-11-18"])
        #expect(
            snapshot.warnings.last?.summary == "files: 1480 more values skipped or cut for similar reasons")
    }

    @Test func aGzipFileEndsWhereItSays() async throws {
        try await withTemporaryDirectory { directory in
            try Data(gzipped(Array("date,sessions,crashed_sessions\n2026-11-18,14,1".utf8)))
                .write(to: URL(fileURLWithPath: "\(directory)/sketchbook-2026-11-19.csv"))
            let outcome = try await fetch(directory)
            #expect(outcome.snapshots.first?.health.map(\.sessions) == [14])
            #expect(outcome.snapshots.first?.warnings == [])
        }
    }

    private func fetch(_ place: String, _ id: String = "sketchbook") async throws -> FetchOutcome {
        await FilesProvider(try FilesConfiguration(place), sender: client()).fetch(app(id), at: runTime)
    }

    @Test func readsATableOfDays() async throws {
        let outcome = try await fetch(fixture("csv"))
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.capturedAt.description == "2026-11-20T06:00:00Z")
        #expect(snapshot.source.capabilities == [.sessions, .users, .releaseHealth, .releases, .usage])
        #expect(snapshot.source.zone == "Europe/Lisbon")
        #expect(snapshot.source.delay == "Harbour telemetry")
        #expect(snapshot.source.sessionDefinition == "From start to 30 seconds in the background.")
        #expect(snapshot.health.map(\.sessions) == [61200, 60800, 41000])
        #expect(snapshot.health.map(\.users) == [20100, nil, nil])
        #expect(snapshot.health.map(\.version) == [nil, nil, "4.2.1, beta"])
        #expect(snapshot.usage.map(\.newUsers) == [410, nil])
        #expect(snapshot.usage.map(\.activeUsers) == [20100, 19900])
        #expect(snapshot.releases.map(\.version.label) == ["4.2.1, beta"])
    }

    @Test(arguments: [
        ("2026-11-18,-1,0", #"line 3, sessions: expected a whole number or nothing, found "-1""#),
        ("2026-11-18,1.5,0", #"line 3, sessions: expected a whole number or nothing, found "1.5""#),
        (
            "2026-11-18,99999999999999999999,0",
            #"line 3, sessions: expected a whole number or nothing, found "99999999999999999999""#
        ),
        ("2026-11-18,١٢,0", #"line 3, sessions: expected a whole number or nothing, found "١٢""#),
        ("2026-11-31,1,0", #"line 3, date: expected a date such as 2026-11-19, found "2026-11-31""#),
        (",1,0", #"line 3, date: expected a date such as 2026-11-19, found """#),
        ("2026-11-18,1", "line 3: expected 3 fields, as in the header, found 2"),
        ("2026-11-18,1,0,9", "line 3: expected 3 fields, as in the header, found 4"),
        ("2026-11-17,1,0", "line 3: expected one row for each day and release; line 2 is another"),
        ("2026-11-18,\"1,0", "line 3: found a quotation mark that nothing ends"),
        ("2026-11-18,1\"2,0", "line 3: found a quotation mark inside a field that does not begin with one"),
    ])
    func skipsOnlyTheInvalidRow(row: String, message: String) throws {
        let snapshot = try read("date,sessions,crashed_sessions\n2026-11-17,5,0\n\(row)\n2026-11-19,7,\n")
        #expect(snapshot.health.map(\.sessions) == [5, 7])
        #expect(snapshot.health.map(\.crashedSessions) == [0, nil])
        #expect(snapshot.warnings.map(\.summary) == ["files: \(message)"])
        #expect("\(snapshot.warnings[0].location.map { "\($0)" } ?? "")".hasPrefix("t.csv:3"))
    }

    /// More crashed sessions than sessions are none that are known; the sessions and the release are.
    @Test func moreCrashedThanAllIsUnknown() throws {
        let snapshot = try read(
            "date,release,sessions,crashed_sessions\n2026-11-17,,5,0\n2026-11-18,,12,13\n2026-11-18,2.0,3,9\n"
        )
        #expect(snapshot.health.map(\.sessions) == [5, 12, 3])
        #expect(snapshot.health.map(\.crashedSessions) == [0, nil, nil])
        #expect(snapshot.health.map(\.version) == [nil, nil, "2.0"])
        #expect(
            snapshot.warnings.map(\.summary)
                == [(3, 12, 13), (4, 3, 9)].map { line, all, crashed in
                    "files: line \(line), crashed_sessions: expected at most the \(all) sessions of that day, "
                        + "found \(crashed), which counts as unknown"
                })
    }

    @Test func oddColumnsAreReported() throws {
        let snapshot = try read(
            "date, sessions ,sesions,sessions\n2026-11-17,5,9,8\n2026-11-18,0,,\n2026-11-19,,,\n")
        #expect(snapshot.health.map(\.sessions) == [5, 0])
        #expect(
            snapshot.warnings.map(\.summary) == [
                #"files: unknown column "sesions" ignored"#,
                #"files: duplicate column "sessions"; first one used"#,
            ])
        #expect(snapshot.warnings.first?.hints == ["did you mean 'sessions'?"])
        #expect(snapshot.source.capabilities == [.sessions])
    }

    /// Of crashes alone nothing else is provided: they take the place of no other source.
    @Test func aTableOfCrashesProvidesThemAlone() throws {
        let snapshot = try read("date,crashes\n2026-11-17,5\n2026-11-18,0\n")
        #expect(snapshot.warnings == [] && snapshot.source.capabilities == [])
        #expect(snapshot.health.map(\.crashes) == [5, 0])
        #expect(snapshot.coverage.contains { $0.fact == .crashes && $0.coverage.isComplete })
    }

    /// Crashes of releases alone give no crashes of a day, and are not kept without a word.
    @Test func crashesOfReleasesAloneAreNamed() throws {
        let snapshot = try read("date,release,crashes\n2026-11-17,1.0,5\n")
        #expect(snapshot.countsReleasesAlone)
        #expect(!(try read("date,release,crashes\n2026-11-17,1.0,5\n2026-11-17,,6\n")).countsReleasesAlone)
    }

    private static let wide = "date,users" + String(repeating: ",x", count: 63)

    @Test func aLineWithTooManyFieldsIsSkippedWithWhatToDo() throws {
        let snapshot = try read(
            "date,users\n2026-11-17,5\n2026-11-18,6" + String(repeating: ",", count: 63) + "\n")
        #expect(snapshot.health.map(\.users) == [5])
        #expect(snapshot.warnings.map(\.summary) == ["files: line 3: found more than 64 fields"])
        #expect(snapshot.warnings.first?.hints == ["give the line as many fields as the header has"])
    }

    @Test(arguments: [
        ("", "csv.empty", "begin it with 'date,sessions,crashed_sessions'"),
        (
            "# capturedAt: 2026-11-20T06:00:00Z", "csv.empty",
            "begin it with 'date,sessions,crashed_sessions'"
        ),
        ("dat,sessions", "csv.header", #"write 'date' for "dat""#),
        (
            "date,release", "csv.header",
            "name your own headers with 'columns': plimsoll import --preview proposes them"
        ),
        (
            "# app: tidepool\ndate,users", "csv.app",
            "write the app's id into the comment, or read the file for the other app"
        ),
        ("# capturedAt: yesterday\ndate,users", "csv.captured-at", "fix the comment"),
        (wide + "\n", "csv.too-many-fields", "keep 64 columns at most: remove some that are not read"),
        (
            wide + "\n2026-11-18,5\n", "csv.too-many-fields",
            "keep 64 columns at most: remove some that are not read"
        ),
    ])
    func aHeadThatCannotBeReadIsAFailure(text: String, id: String, hint: String) {
        #expect { try read(text) } throws: { error in
            let why = (error as? CSVSnapshotError)?.diagnostic(in: "t.csv")
            return why?.id == id && why?.hints.first == hint
        }
    }

    @Test func theTimeIsThatOfTheCommentOrTheName() async throws {
        #expect(try read("date,users\n").capturedAt == Instant(secondsSinceEpoch: 0))
        try await withTemporaryDirectory { directory in
            let table = Data("date,users\n2026-11-18,5\n".utf8)
            for name in [
                "sketchbook.csv", "sketchbook-2026-11-19.csv", "tidepool-2026-11-19.csv", "2026-11-19.csv",
            ] {
                try table.write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            try Data("# app: sketchbook\ndate,users\n2026-11-18,5\n".utf8)
                .write(to: URL(fileURLWithPath: "\(directory)/all-2026-11-18.csv"))
            let outcome = try await fetch(directory)
            // A table without a time is as old as its file; one without an app is about the one that is read.
            #expect(
                outcome.snapshots.map(\.capturedAt.description) == [
                    "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z", "2026-11-19T00:00:00Z",
                    runTime.description,
                ])
            #expect(outcome.failures.isEmpty && outcome.warnings.isEmpty)
            let only = try await fetch("\(directory)/2026-11-19.csv")
            #expect(only.snapshots.count == 1)
        }
    }

    @Test func manyBadRowsAreCounted() throws {
        let rows = String(repeating: "x,1\n", count: 100)
        let warnings = try read("date,users\n\(rows)2026-11-18,5\n").warnings
        #expect(warnings.count == 21)
        #expect(warnings.last?.id == "decoding.more")
    }

    @Test func coverageIsWhatTheRowsState() throws {
        let table = """
            date,sessions,crashed_sessions,users,crashed_users,crashes,release,active_users
            2026-11-17,5,0,4,,,,4
            2026-11-18,5,1,4,1,2,,
            2026-11-20,5,1,,,0,,
            2026-11-20,5,1,,,,4.2,
            """
        #expect(
            try read(table).coverage.map(\.line) == [
                "sessions 2026-11-17...2026-11-18 complete", "sessions 2026-11-20 complete",
                "users 2026-11-17 partial", "users 2026-11-18 complete", "crashes 2026-11-18 complete",
                "crashes 2026-11-20 complete", "releaseHealth 2026-11-20 partial",
                "usage 2026-11-17 complete",
            ])
        #expect(try read(table).health.map(\.crashes) == [nil, 2, 0, nil])
    }

    /// Which of two rows of a day is the day, a table does not say.
    @Test func aDayWithSeveralRowsIsAPart() throws {
        let table = """
            date,platform,users,crashed_users,active_users
            2026-11-17,ios,1000,10,900
            2026-11-18,ios,1000,10,900
            2026-11-18,android,3000,60,2800
            """
        let snapshot = try read(table)
        #expect(
            snapshot.coverage.map(\.line) == [
                "users 2026-11-17 complete", "users 2026-11-18 partial", "usage 2026-11-17 complete",
                "usage 2026-11-18 partial",
            ])
        #expect(
            snapshot.warnings.filter { $0.id == "csv.row" }.map(\.hints) == [
                ["write one table for each platform, or one row with the sums"]
            ])
    }

    /// Tables as other programs write them: separator, numbers, dates, names.
    private static let foreign: [(String, CSVLayout, [String])] = [
        ("date;users;crashed_users\n2026-11-18;1.200;3\n", CSVLayout(), ["2026-11-18 - 1200/3"]),
        ("date\tusers\tcrashed_users\n2026-11-18\t6,460\t3\n", CSVLayout(), ["2026-11-18 - 6460/3"]),
        ("Date,Users,Crashed Users\n\"Nov 18, 2026\",6300.0,3\n", CSVLayout(), ["2026-11-18 - 6300/3"]),
        (
            "Abstürze;Tag;Nutzer\n3;18.11.2026;1 200\n",
            CSVLayout(columns: [.date: "Tag", .users: "Nutzer", .crashedUsers: "Abstürze"]),
            ["2026-11-18 - 1200/3"]
        ),
        ("date,users,crash_free_users\n2026/11/18,1000,99.5%\n", CSVLayout(), ["2026-11-18 - 1000/5"]),
        ("date;users;crash_free_users\n20261118;1000;0,995\n", CSVLayout(), ["2026-11-18 - 1000/5"]),
        (
            "date,users,Crash rate %\n2026-11-18,1000,0.5\n",
            CSVLayout(columns: [.crashedUsersRate: "Crash rate %"]), ["2026-11-18 - 1000/5"]
        ),
        // 100% and 0% only where the table says so.
        ("date,users,crash_free_users\n2026-11-18,300,99.9%\n", CSVLayout(), ["2026-11-18 - 300/1"]),
        ("date,users,crash_free_users\n2026-11-18,300,100.0%\n", CSVLayout(), ["2026-11-18 - 300/0"]),
        ("date,users,crash_free_users\n2026-11-18,300,0.1%\n", CSVLayout(), ["2026-11-18 - 300/299"]),
        ("date,users,crash_free_users\n2026-11-18,1,50%\n", CSVLayout(), ["2026-11-18 - 1/1"]),
        ("date,users,crash_free_users\n2026-11-18,,99.5%\n", CSVLayout(), []),
        (
            "date,users\n11/18/2026 0:00,5\n11/12/2026 0:00,6\n", CSVLayout(),
            ["2026-11-18 - 5/?", "2026-11-12 - 6/?"]
        ),
        ("sep=;\ndate;users\n2026-11-18;5\n", CSVLayout(), ["2026-11-18 - 5/?"]),
        (
            "date,users\n11/18/2026,5\n11/12/2026,6\n", CSVLayout(),
            ["2026-11-18 - 5/?", "2026-11-12 - 6/?"]
        ),
        ("date,users\n03/04/2026,5\n", CSVLayout(dates: .dayFirst), ["2026-04-03 - 5/?"]),
        ("date,users\n03/04/2026,5\n", CSVLayout(dates: .monthFirst), ["2026-03-04 - 5/?"]),
        (
            "timestamp.to_day,release,count(),count_unique(user)\n2026-11-18T00:00:00+00:00,'@a,7,3\n",
            CSVLayout(preset: .sentryDiscover), ["2026-11-18 @a ?/3"]
        ),
        (
            "event_date,display_version,users,crashed_users\n20261118,,10,1\n",
            CSVLayout(preset: .firebaseBigQuery), ["2026-11-18 - 10/1"]
        ),
    ]

    @Test(arguments: foreign.indices) func readsTablesAsOthersWriteThem(index: Int) throws {
        let (table, layout, expected) = Self.foreign[index]
        let snapshot = try read(table, layout)
        #expect(snapshot.health.map(\.line) == expected)
        let lacksTotals = !snapshot.health.isEmpty && snapshot.health.allSatisfy { $0.version != nil }
        #expect(snapshot.warnings.map(\.id) == (lacksTotals ? ["files.totals"] : []), "\(snapshot.warnings)")
    }

    /// Rows of releases give no totals.
    @Test(arguments: [("", false), ("2026-11-18,,30\n", true)])
    func aTableOfReleasesAloneIsReported(total: String, hasTotals: Bool) throws {
        let snapshot = try read(
            "date,release,sessions\n2026-11-18,1.0,10\n2026-11-18,1.1,20\n" + total)
        #expect(snapshot.warnings.map(\.id) == (hasTotals ? [] : ["files.totals"]))
        #expect(snapshot.health.count == (hasTotals ? 3 : 2))
    }

    /// The row without a release is there: what is wrong with it is reported alone.
    @Test func aSkippedRowOfAllReleasesIsNoMissingOne() throws {
        let snapshot = try read("date,release,sessions\n2026-11-18,,many\n2026-11-18,1.0,10\n")
        #expect(snapshot.warnings.map(\.id) == ["csv.row"], "\(snapshot.warnings)")
    }

    private static let refused: [(String, CSVLayout, String)] = [
        (
            "date,users\n03/04/2026,5\n2026-11-17,5\n", CSVLayout(),
            "line 2, date: expected a date whose day and month can be distinguished, found \"03/04/2026\""
        ),
        (
            "date,Active users\n2026-11-18,many\n2026-11-17,5\n",
            CSVLayout(columns: [.users: "active users"]),
            "line 2, Active users: expected a whole number or nothing, found \"many\""
        ),
        (
            "date,users,crash_free_users\n2026-11-18,5,99.5\n2026-11-17,5,99.5%\n", CSVLayout(),
            "line 2, crash_free_users: expected a percentage with its sign, such as 99.53%, or a fraction in 0…1, found \"99.5\""
        ),
    ]

    @Test(arguments: refused.indices) func whatIsNotReadIsReportedWithItsPlace(index: Int) throws {
        let (table, layout, message) = Self.refused[index]
        #expect(try read(table, layout).warnings.map(\.summary) == ["files: \(message)"])
    }

    @Test func anOwnHeaderThatIsMissingIsAFailure() {
        #expect { try read("date,user\n2026-11-18,5", CSVLayout(columns: [.users: "users"])) } throws: {
            error in
            let why = (error as? CSVSnapshotError)?.diagnostic(in: "t.csv")
            return why?.summary == "files: header has no column 'users'"
                && why?.hints == [#"write 'users' for "user""#]
        }
    }

    /// The Play Console's files are UTF-16 with a mark; those of a dimension repeat days.
    @Test func readsThePlayConsolesStatistics() throws {
        let text =
            "Date,Package Name,Daily Device Installs,Daily User Installs,Active Device Installs\n"
            + "2026-11-18,org.example.sketchbook,70,60,9000\n"
        let units = Array("\u{FEFF}\(text)".utf16)
        for bytes in [
            units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ] {
            var reader = reader
            reader.layout = CSVLayout(preset: .playStatistics)
            let snapshot = try reader.read(bytes).snapshot
            #expect(snapshot.usage.map(\.newUsers) == [60])
            #expect(snapshot.warnings.isEmpty)
        }
        let crashes = try read(
            "Date,Package Name,Daily Crashes,Daily ANRs\n2026-11-18,org.example,12,3\n",
            CSVLayout(preset: .playStatistics))
        #expect(crashes.health.map(\.crashes) == [12])
        #expect {
            try read(
                "Date,Package Name,Country,Daily Crashes\n", CSVLayout(preset: .playStatistics))
        } throws: { ($0 as? CSVSnapshotError) == .dimension("Country", line: 1) }
    }

    /// Units of first downloads, of every country and product, as new users of the Pacific day.
    @Test func readsSalesAndTrends() throws {
        let row = { (type: String, units: Int, country: String) in
            "APPLE\tSK\t\(type)\t\(units)\t11/18/2026\t11/18/2026\t\(country)\n"
        }
        let table =
            "Provider\tSKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCountry Code\n"
            + row("1F", 5, "PT") + row("1", 2, "JP") + row("7", 90, "PT") + row("3F", 8, "PT")
            + row("1", -1, "JP") + row("7F", 3, "PT").replacing("11/18", with: "11/19")
        let snapshot = try read(table, CSVLayout(preset: .appStoreSales))
        // A day of updates alone is one without a new user; units that are taken back are none.
        #expect(snapshot.usage.map(\.newUsers) == [7, 0])
        #expect(snapshot.source.zone == "America/Los_Angeles")
        #expect(snapshot.warnings.isEmpty)
    }

    @Test(
        arguments: [
            ("6,460", 6460), ("6.460", 6460), ("6300.0", 6300), ("6 460", 6460), ("1.234.567", 1_234_567),
            ("12,000.00", 12_000), ("12.000,0", 12_000), ("1'234", 1234), ("7", 7), ("0", 0), ("1.5", nil),
            ("1,23", nil), ("12,34,567", nil), ("1,234.5", nil), ("-1", nil), ("", nil), (".5", nil),
            ("1e3", 1000), ("1.2345678E7", 12_345_678), ("5.0137e+04", 50_137), ("0e0", 0), ("10e-1", 1),
            ("5.0137e+00", nil), ("8e-05", nil), ("1e15", nil), ("1e", nil), ("e3", nil), ("1.e3", nil),
            ("1e300", nil), ("-1e3", nil), ("1,2e3", nil), ("1e3e3", nil),
            ("1.", nil), ("1,234 567", nil), ("9999999999999999", nil),
        ] as [(String, Int?)])
    func readsCounts(text: String, expected: Int?) {
        #expect(CSVNumber(text, isCount: true)?.count == expected)
    }

    /// Rates as programs write numbers of 64 bits.
    @Test(arguments: [
        ("8e-05", 0.00008), ("9.9946E-1", 0.99946), ("0.9946012345678901", 0.994_601_234_567_890_1),
        ("0.00012345678901234567", 0.000_123_456_789_012_345_67),
    ])
    func readsRates(text: String, expected: Double) {
        #expect(csvFraction(text, isPercent: false) == expected)
    }

    /// Rows of one table, what their sessions and crashes are read as, and what is reported.
    @Test(
        arguments: [
            // Ten counts that end in three zeros, crashes among them.
            ("crashed_sessions", "646.000;3.000", 4, "646.000;3.000", 646, 3, []),
            ("crashed_sessions", "646,000;3,000", 4, "646,000;3,000", 646, 3, []),
            ("crashed_sessions", "646.000;NULL", 9, "646.000;3.000", 646, 3, []),
            ("crashed_sessions", "646.000;3.000", 3, "646.000;3.000", 646_000, 3000, ["csv.thousands"]),
            // Thousands have other numbers next to them.
            ("crashed_sessions", "646.000;3.000", 9, "646.000;7", 646_000, 7, []),
            ("crashed_sessions", "646.000;3.000", 9, "646.000;3.001", 646_000, 3001, []),
            // Counts of users may be rounded to thousands.
            ("users", "646.000;3.000", 9, "646.000;3.000", 646_000, nil, []),
        ] as [(String, String, Int, String, Int, Int?, [String])])
    func threeZerosAreDecimalsWhereNoCountSaysOtherwise(
        column: String, row: String, count: Int, last: String, sessions: Int, crashed: Int?,
        reported: [String]
    ) throws {
        let rows = Array(repeating: row, count: count) + [last]
        let days = rows.enumerated().map { "2026-11-\($0.offset + 10);\($0.element)\n" }
        let snapshot = try read("date;sessions;\(column)\n" + days.joined())
        #expect(snapshot.health.count == rows.count)
        #expect(
            snapshot.health.last?.sessions == sessions && snapshot.health.last?.crashedSessions == crashed)
        #expect(snapshot.warnings.map(\.id) == reported)
    }

    /// What databases and programs write for no value.
    @Test(arguments: [#"\N"#, "NULL", "null", "NaN", "nan", "None", "<NA>"])
    func aCellWithoutAValueIsEmpty(word: String) throws {
        let snapshot = try read(
            "date,release,sessions,crashed_sessions\n2026-11-18,\(word),30,\"\(word)\"\n2026-11-18,1.0,10,1\n"
        )
        #expect(snapshot.warnings == [])
        #expect(snapshot.health.map(\.version) == [nil, "1.0"])
        #expect(snapshot.health.map(\.sessions) == [30, 10])
        #expect(snapshot.health.map(\.crashedSessions) == [nil, 1])
        #expect(snapshot.releases.map(\.version.label) == ["1.0"])
        let alone = try read("date,release,sessions\n2026-11-18,1.0,10\n2026-11-18,\(word),many\n")
        #expect(alone.warnings.map(\.id) == ["csv.row"])
    }

    /// `GROUP BY … WITH ROLLUP` writes the total of each day, and that of all days, which is of no day.
    @Test(
        arguments: [
            ("date,release,sessions\n2026-11-18,1.0,10\n2026-11-18,NULL,12\nNULL,NULL,12\n", 2, []),
            ("date,sessions\n2026-11-18,12\n\\N,12\n", 1, []),
            // A release has a day.
            (
                "date,release,sessions\n2026-11-18,NULL,12\nNULL,1.0,12\n", 1,
                ["files: line 3, date: expected a date such as 2026-11-19, found \"NULL\""]
            ),
            // The total of all days is none of a day.
            (
                "date,release,sessions\n2026-11-18,1.0,10\nNULL,NULL,10\n", 1,
                ["files: no totals by day, as every row has a release"]
            ),
            // Of several rows without a day none is that total.
            (
                "date,sessions\n2026-11-18,12\nNaN,13\nNaN,14\n", 1,
                [3, 4].map { "files: line \($0), date: expected a date such as 2026-11-19, found \"NaN\"" }
            ),
        ] as [(String, Int, [String])])
    func aTotalOfAllDaysIsNoRow(table: String, count: Int, reported: [String]) throws {
        let snapshot = try read(table)
        #expect(snapshot.health.count == count)
        #expect(snapshot.warnings.map(\.summary) == reported)
    }

    /// A release may be called so where its version is unknown: it is not all of them.
    @Test(arguments: ["N/A", "n/a", "#N/A", "NA"]) func aReleaseMayBeNotAvailable(word: String) throws {
        let snapshot = try read(
            "date,release,sessions,crashes\n2026-11-18,,30,2\n2026-11-18,\(word),\(word),1\n")
        #expect(snapshot.warnings == [])
        #expect(snapshot.health.map(\.version) == [nil, word])
        #expect(snapshot.health.map(\.sessions) == [30, nil])
    }

    /// A day in the zone of the table: its midnight, or a time that is on the same day in both zones.
    @Test(
        arguments: [
            ("Europe/Berlin", "2026-11-18T23:00:00Z", "2026-11-19"),
            ("Europe/Berlin", "2026-11-18 23:00:00+00", "2026-11-19"),
            ("Europe/Berlin", "2026-11-18 23:00:00.000 UTC", "2026-11-19"),
            ("Europe/Berlin", "2026-11-19T00:00:00+01:00", "2026-11-19"),
            ("Europe/Berlin", "2026-11-18T00:00:00Z", "2026-11-18"),
            ("Europe/Berlin", "2026-11-18T22:30:00Z", "2026-11-18"),
            ("Europe/Berlin", "2026-11-18T23:30:00Z", nil),
            ("Europe/Berlin", "2026-11-18T23:30:00", "2026-11-18"),
            ("Europe/Berlin", "2026-10-25T22:00:00Z", "2026-10-25"),
            ("Europe/Berlin", "2026-10-24T22:00Z", "2026-10-25"),
            ("-08:00", "2026-11-21T08:00:00Z", "2026-11-21"), ("UTC", "2026-11-20T22:00:00-08:00", nil),
            ("UTC", "2026-11-18T23:00:00Z", "2026-11-18"), ("nowhere", "2026-11-18T23:00:00Z", nil),
            ("nowhere", "2026-11-18T00:00:00Z", "2026-11-18"),
        ] as [(String, String, String?)])
    func aTimeIsOfTheDayInTheZone(zone: String, text: String, expected: String?) {
        #expect(CSVDates([], stated: nil, in: FileZone(zone)).date(text)?.description == expected)
    }

    @Test func aTimeOfAnotherDayIsSkippedWithWhatToDo() throws {
        let warnings = try read(
            "# zone: Europe/Berlin\ndate,sessions\n2026-11-18T23:00:00Z,5\n2026-11-18T23:30:00Z,6\n"
        ).warnings
        #expect(
            warnings.map(\.summary) == [
                "files: line 4, date: expected a date, or the time at which a day begins in Europe/Berlin, found \"2026-11-18T23:30:00Z\""
            ])
        #expect(
            warnings.map(\.hints) == [
                ["write the date of the day, or state the zone of the days with '# zone: …'"]
            ])
    }

    /// Tables of which nothing can be read, with what is wrong with the first row.
    @Test(arguments: [
        (
            "date,sessions\n19.13.2026,5\nx,6\n",
            #"none of 2 rows could be read; line 2, date: expected a date such as 2026-11-19, found "19.13.2026""#
        ),
        (
            "date,release,sessions\nNULL,NULL,5\n",
            #"the only row could not be read; line 2, date: expected a date such as 2026-11-19, found "NULL""#
        ),
        (
            "date,sessions\n2026-11-18,many\n",
            #"the only row could not be read; line 2, sessions: expected a whole number or nothing, found "many""#
        ),
        (
            "date,sessions\n2026\"-11-18,5\n",
            "the only row could not be read; line 2: found a quotation mark inside a field that does not begin with one"
        ),
    ])
    func aTableWithoutAReadableRowIsAFailure(table: String, message: String) {
        #expect { try read(table) } throws: { error in
            let error = error as? CSVSnapshotError
            let why = error?.diagnostic(in: "t.csv")
            return why?.summary == "files: \(message)" && why?.id == "csv.no-row"
                && error?.capturedAt == Instant(secondsSinceEpoch: 0)
                && "\(why?.location.map { "\($0)" } ?? "")".hasPrefix("t.csv:2")
        }
    }

    /// A header alone, and a row that may be cut, are none that cannot be read.
    @Test(arguments: ["date,sessions\n", "date,sessions\n2026-11-18,1"])
    func aTableWithoutARowIsNoFailure(table: String) throws {
        #expect(try reader.read(Array(table.utf8)).snapshot.health.isEmpty)
    }

    /// The night from which nothing can be read is the last attempt; the nights before stay.
    @Test func theFirstNightWithoutAReadableRowFails() async throws {
        try await withTemporaryDirectory { directory in
            for (day, row) in [("18", "2026-11-17,5"), ("19", "11-18,6")] {
                try Data("date,users\n\(row)\n".utf8)
                    .write(to: URL(fileURLWithPath: "\(directory)/sketchbook-2026-11-\(day).csv"))
            }
            let outcome = try await fetch(directory)
            #expect(outcome.snapshots.flatMap(\.health).map(\.users) == [5])
            #expect(outcome.failures.map(\.why.id) == ["csv.no-row"])
            #expect(outcome.failures.map(\.at.description) == ["2026-11-19T00:00:00Z"])
        }
    }

    /// Nothing of the app was selected: that is said, as nothing else shows it.
    @Test(arguments: [("date,users\n", ["files.no-day"]), ("date,users\n2026-11-18,5\n", [])])
    func tablesWithoutADayAreReported(table: String, reported: [String]) async throws {
        try await withTemporaryDirectory { directory in
            try Data(table.utf8).write(to: URL(fileURLWithPath: "\(directory)/sketchbook-2026-11-19.csv"))
            let outcome = try await fetch(directory)
            #expect(outcome.failures.isEmpty && outcome.warnings.map(\.id) == reported)
        }
    }

    /// Excel writes texts in the encoding of Windows.
    @Test func aTextThatIsNotUTF8IsReported() throws {
        let text = { (header: String) in Array("\(header)\n18.11.2026;5\n".utf8) }
        let bytes = text("Datum;Abst~rze").map { $0 == UInt8(ascii: "~") ? 0xFC : $0 }
        var reader = reader
        reader.layout = CSVLayout(columns: [.date: "Datum", .crashes: "Abstürze"])
        #expect { try reader.read(bytes) } throws: { error in
            (error as? CSVSnapshotError)?.diagnostic(in: "t.csv").hints == [saveAsUTF8]
        }
        reader.layout = CSVLayout(columns: [.date: "Datum", .crashes: "Abst\u{FFFD}rze"])
        #expect(
            try reader.read(bytes).snapshot.warnings.map(\.summary) == [
                "files: line 1 is not UTF-8, perhaps Windows-1252"
            ])
        let preview = try TablePreview(
            text("date;crashes;Abst~rze").map { $0 == UInt8(ascii: "~") ? 0xFC : $0 }
                + Array("2026-11-18;5;5\n".utf8),
            document: "t.csv")
        #expect(preview.form == "not UTF-8, perhaps Windows-1252, separated by semicolons")
    }

    /// Sessions and crashed sessions of two days, and what they are read as.
    @Test(
        arguments: [
            (["990.000;8.000", "1044.000;9.000"], [990, 1044], [8, 9]),
            (["990,000;8,000", "1044,000;9,000"], [990, 1044], [8, 9]),
            (["990.000;0.000", "991.000;9.000"], [990, 991], [0, 9]),
            (["6.460;8", "7.100;9"], [6460, 7100], [8, 9]),
            (["6,460;8.0", "7,100;9.0"], [6460, 7100], [8, 9]),
            (["1.234.567;8.000", "6.460;9.0"], [1_234_567, 6460], [8, 9]),
            (["12.0;8", "6.460;9,0"], nil, [8, 9]), (["6.460;1,0", "7.100;2.0"], [6460, 7100], [1, 2]),
        ] as [([String], [Int]?, [Int])])
    func theColumnDecidesWhatIsBeforeDecimals(rows: [String], sessions: [Int]?, crashed: [Int]) throws {
        let days = zip(["2026-11-17", "2026-11-18"], rows).map { "\($0);\($1)\n" }
        let snapshot = try read("date;sessions;crashed_sessions\n" + days.joined())
        guard let sessions else { return #expect(snapshot.warnings.map(\.id) == ["csv.row"]) }
        #expect(snapshot.warnings.isEmpty, "\(snapshot.warnings)")
        #expect(snapshot.health.map(\.sessions) == sessions)
        #expect(snapshot.health.map(\.crashedSessions) == crashed)
    }

    @Test(
        arguments: [
            ("2026-11-18", "2026-11-18"), ("2026-11-18 00:00:00 UTC", "2026-11-18"),
            ("20261118", "2026-11-18"),
            ("2026/8/5", "2026-08-05"), ("Aug 15, 2026", "2026-08-15"), ("15 August 2026", "2026-08-15"),
            ("19.11.2026 00:00", "2026-11-19"), ("2026/11/19 00:00:00", "2026-11-19"),
            ("11/11/2026 0:00", "2026-11-11"), ("11/11/2026 12:00:00 AM", "2026-11-11"),
            ("Aug 15, 2026, 12:00 AM", "2026-08-15"), ("00:00", nil), ("19.11.2026 0-0", nil),
            ("Sat, Aug 15, 2026", "2026-08-15"), ("15.08.2026", "2026-08-15"), ("5/5/2026", "2026-05-05"),
            ("15/08/26", nil), ("2026-13-01", nil), ("Aug 32, 2026", nil), ("tomorrow", nil), ("", nil),
        ] as [(String, String?)])
    func readsDates(text: String, expected: String?) {
        #expect(CSVDates([], stated: nil).date(text)?.description == expected)
    }

    @Test func filesOfWhichNoNewOneComesAreStale() async throws {
        try await withTemporaryDirectory { directory in
            for day in ["2026-11-16", "2026-11-17"] {
                try Data("date,users\n2026-11-16,5\n".utf8)
                    .write(to: URL(fileURLWithPath: "\(directory)/sketchbook-\(day).csv"))
            }
            var configuration = try FilesConfiguration(directory)
            for (hours, words) in [(nil, "36 h ago"), (48, "48 h ago"), (96, nil)] as [(Int?, String?)] {
                configuration.mostHours = hours
                let outcome = await FilesProvider(configuration, sender: client())
                    .fetch(app("sketchbook"), at: runTime)
                #expect(outcome.snapshots.count == 2)
                #expect(outcome.failures.map(\.why.id) == (words == nil ? [] : ["files.stale"]))
                #expect(words.map { outcome.failures.first?.why.summary.hasSuffix($0) } ?? true == true)
            }
        }
    }

    /// A file that is no table says what it is, not how its letters are to be written.
    @Test(arguments: [false, true]) func aPreviewOfAnotherKindIsReported(isGzip: Bool) {
        let bytes = Array("PK\u{3}\u{4}".utf8) + [20, 0, 6, 0, 0xFF, 0xFE, 10]
        let why = #expect(throws: Diagnostic.self) {
            try TablePreview(isGzip ? gzipped(bytes) : bytes, document: "/tmp/report.xlsx")
        }
        #expect(why?.id == "files.kind")
        #expect(why?.summary == "files: the file is a ZIP or Excel file, which is not read")
        #expect(why?.hints == ["write it as JSON, CSV or TSV, compressed with gzip or not"])
    }

    @Test func aPreviewProposesTheMapping() throws {
        let table =
            "Datum;Aktive Nutzer;Land;Total users;Crash-free rate\n15/08/2026;60;PT;6,460;99,5%\n16/08/2026;x;PT;9;100%\n"
        let preview = try TablePreview(Array(table.utf8), document: "t.csv")
        #expect(preview.form == "UTF-8, separated by semicolons")
        #expect(preview.fields == ["date", "users", "active_users", "crashed_users"])
        #expect(preview.rows == [["2026-08-15", "6460", "60", "32"]])
        #expect(preview.unread == ["Land"])
        #expect(preview.warnings.map(\.summary).first?.contains("line 3, Aktive Nutzer") == true)
        #expect(
            preview.configuration(path: "exports/t.csv") == [
                "- provider: files", "  path: exports/t.csv", "  columns:", "    date: Datum",
                #"    users: "Total users""#, #"    active_users: "Aktive Nutzer""#,
                #"    crash_free_users: "Crash-free rate""#, "  dates: day-first",
            ])
        let other = try TablePreview(
            Array("Day;Total users;Users with a crash\n2026-11-19;1200;9\n".utf8), document: "t.csv")
        #expect(other.unread == [] && other.rows == [["2026-11-19", "1200", "9"]])
        let misspelled = #expect(throws: Diagnostic.self) {
            try TablePreview(
                Array("date,session,crashed_sesions\n2026-11-19,1200,9\n".utf8), document: "t.csv")
        }
        #expect(misspelled?.hints == ["write 'sessions' for \"session\""])
        let known = try TablePreview(
            Array("timestamp.to_day,count()\n2026-11-18T00:00:00+00:00,7\n".utf8), document: "t.csv")
        #expect(known.configuration(path: "t.csv").last == "  preset: sentry-discover")
    }
}
