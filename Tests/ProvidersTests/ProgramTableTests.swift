import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Settings
import Testing
import Transport

@testable import Providers

/// Tables as other programs write them, from their files.
struct ProgramTableTests {
    private func fetch(_ files: [String: [UInt8]], _ layout: CSVLayout) async throws -> FetchOutcome {
        try await withTemporaryDirectory { directory in
            for (name, bytes) in files {
                try Data(bytes).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            var configuration = try FilesConfiguration(directory)
            (configuration.layout, configuration.mostHours) = (layout, 8_000)
            return await FilesProvider(configuration, sender: client()).fetch(app("sketchbook"), at: runTime)
        }
    }

    // MARK: Gzip

    private static let sales = Array(
        """
        Provider\tSKU\tVersion\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCountry Code
        APPLE\ts1\t4.2\t1F\t5\t11/18/2026\t11/18/2026\tPT
        APPLE\ts1\t4.2\t7F\t90\t11/18/2026\t11/18/2026\tPT
        APPLE\ts1\t4.2\t1\t3\t11/18/2026\t11/18/2026\tDE

        """.utf8)

    @Test(arguments: ["S_D_80012345_20261118.txt.gz", "S_D_80012345_20261118.txt", "sales.tsv.gz"])
    func dailySalesAreReadAsTheyAreDownloaded(name: String) async throws {
        let bytes = name.hasSuffix(".gz") ? gzipped(Self.sales) : Self.sales
        let outcome = try await fetch(
            [name: bytes, "notes.md": Array("# Notes".utf8)], CSVLayout(preset: .appStoreSales))
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.map { "\($0.date) \($0.newUsers ?? -1)" } == ["2026-11-18 8"])
        #expect(snapshot.source.zone == "America/Los_Angeles")
    }

    /// Without a program that calls its tables so, a text is none; a file that is no whole gzip file is a failure.
    @Test func othersAreNot() async throws {
        let texts = try await fetch(["readme.txt": Self.sales], CSVLayout())
        #expect(texts.snapshots.isEmpty && texts.failures.map(\.why.id) == ["files.nothing"])
        let cut = try await fetch(
            ["sales.tsv.gz": gzipped(Self.sales).dropLast(6)], CSVLayout(preset: .appStoreSales))
        #expect(cut.snapshots.isEmpty)
        #expect(cut.diagnostics.contains { $0.everything.contains("decompress") })
    }

    @Test func snapshotsMayBeCompressed() async throws {
        let bytes = try Data(
            contentsOf: URL(fileURLWithPath: fixture("files/good/sketchbook-2026-11-20.json")))
        let outcome = try await fetch(["sketchbook-2026-11-20.json.gz": gzipped(Array(bytes))], CSVLayout())
        #expect(outcome.failures.isEmpty)
        #expect(outcome.snapshots.first?.issues.count == 2)
    }

    @Test func aPreviewShowsDaysAsTheyWouldBeRead() throws {
        let preview = try TablePreview(gzipped(Self.sales), document: "/tmp/sales.txt.gz")
        #expect(preview.rows == [["2026-11-18", "8"]])
        #expect(preview.preset == .appStoreSales)
    }

    // MARK: Tables of several apps

    /// Two apps of one vendor; the second also has updates and something that is sold in it.
    private static let vendor = Array(
        """
        Provider\tSKU\tTitle\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tApple Identifier
        APPLE\tsketch\tSketchbook\t1F\t120\t11/18/2026\t11/18/2026\t111
        APPLE\tledger\tLedger\t1F\t40\t11/18/2026\t11/18/2026\t222
        APPLE\tledger\tLedger\t7F\t9\t11/19/2026\t11/19/2026\t222
        APPLE\tcoins\tCoins\tIA1\t7\t11/18/2026\t11/18/2026\t223

        """.utf8)

    private static func installs(_ rows: [(package: String, users: Int)]) -> [UInt8] {
        let lines = rows.map { "2026-11-18,\($0.package),\($0.users)\n" }
        return Array(("Date,Package Name,Daily User Installs\n" + lines.joined()).utf8)
    }

    private static let bucket = [
        "installs_org.a_202611_overview.csv": installs([("org.a", 50)]),
        "installs_org.b_202611_overview.csv": installs([("org.b", 900)]),
    ]

    /// The first downloads of a vendor are those of all of its apps; a bucket has the tables of all, too.
    @Test(
        arguments: [
            (
                ["s.txt": vendor], .appStoreSales, nil, [],
                #"csv.several-apps: files: table has 2 apps in "Apple Identifier": "111", "222""#
            ),
            (["s.txt": vendor], .appStoreSales, "111", ["2026-11-18 120"], nil),
            (["s.txt": vendor], .appStoreSales, "222", ["2026-11-18 40", "2026-11-19 0"], nil),
            (["s.txt": vendor], .appStoreSales, "ledger", ["2026-11-18 40", "2026-11-19 0"], nil),
            (
                ["s.txt": vendor], .appStoreSales, "333", [],
                #"csv.no-app: files: no row has "333", the 'app' of the source, in "Apple Identifier""#
            ),
            (
                bucket, .playStatistics, nil, [],
                #"csv.several-apps: files: tables of the source have 2 apps in "Package Name": "org.a", "org.b""#
            ),
            (bucket, .playStatistics, "org.a", ["2026-11-18 50"], nil),
            (bucket, .playStatistics, "org.b", ["2026-11-18 900"], nil),
            (
                bucket, .playStatistics, "org.c", [],
                #"csv.no-app: files: no row has "org.c", the 'app' of the source, in "Package Name""#
            ),
            (
                ["all.csv": installs([("org.a", 50), ("org.b", 900)])], .playStatistics, nil, [],
                #"csv.several-apps: files: table has 2 apps in "Package Name": "org.a", "org.b""#
            ),
            (
                ["all.csv": installs([("org.a", 50), ("org.b", 900)])], .playStatistics, "org.b",
                ["2026-11-18 900"], nil
            ),
        ] as [([String: [UInt8]], CSVPreset, String?, [String], String?)])
    func tablesOfSeveralAppsAreReadForOne(
        files: [String: [UInt8]], preset: CSVPreset, app: String?, days: [String], fault: String?
    ) async throws {
        let outcome = try await fetch(files, CSVLayout(preset: preset, app: app))
        #expect(
            outcome.snapshots.flatMap(\.usage).map { "\($0.date) \($0.newUsers ?? -1)" } == days)
        #expect(
            outcome.diagnostics.map { "\($0.id): \($0.summary)" } == (fault.map { [$0] } ?? []))
        #expect(outcome.failures.count == (fault == nil ? 0 : 1))
    }

    /// Each of the tables is named with its app.
    @Test func tablesOfSeveralAppsAreNamed() async throws {
        let outcome = try await fetch(Self.bucket, CSVLayout(preset: .playStatistics))
        let details = outcome.failures.first?.why.details ?? []
        #expect(details.count == 2)
        for (app, line) in zip(["org.a", "org.b"], details) {
            #expect(line.hasPrefix("\"\(app)\": ") && line.hasSuffix("/installs_\(app)_202611_overview.csv"))
        }
    }

    /// Rows that do not count are of no app: of updates and of what is sold in an app the table has more.
    @Test func rowsThatDoNotCountNameNoApp() async throws {
        let text = String(decoding: Self.vendor, as: UTF8.self).replacing("\t1F\t40", with: "\t7F\t40")
        let outcome = try await fetch(["s.txt": Array(text.utf8)], CSVLayout(preset: .appStoreSales))
        #expect(outcome.diagnostics.map(\.everything) == [])
        #expect(outcome.snapshots.flatMap(\.usage).map(\.newUsers) == [120, 0])
    }

    @Test func aPreviewProposesAnApp() throws {
        let preview = try TablePreview(Self.vendor, document: "/tmp/s.txt")
        #expect(preview.rows == [["2026-11-18", "120"]])
        #expect(
            preview.configuration(path: "s.txt").suffix(2) == [
                "  preset: app-store-sales", #"  app: "111"   # or "222""#,
            ])
    }

    @Test(
        arguments: [
            ("play-statistics", nil), ("app-store-sales", nil), ("sentry-discover", "config.needless-app"),
            (nil, "config.needless-app"),
        ] as [(String?, String?)])
    func anAppNeedsTablesThatNameOne(preset: String?, fault: String?) {
        var settings = SettingValues(["path": .text("data"), "app": .text("org.a")])
        settings.values["preset"] = preset.map { .text($0) }
        let found = ProviderDescriptor.files.fault(of: settings)
        #expect(found?.id == fault)
        #expect(found.map { $0.summary == "'app' needs a 'preset' whose tables name an app" } != false)
    }

    // MARK: Days that are counted from a start date

    private static let analytics = """
        # ----------------------------------------
        # Start date: 20261101
        # End date: 20261103
        Nth day,30 days,7 days,1 day
        0000,"9,100",3100,"1,234"
        0001,9150,3120,1240
        0002,9170,3150,x

        # Start date: 20261101
        # End date: 20261103
        Country,Active users
        Portugal,812

        """

    @Test func daysAreCountedFromTheStartDate() async throws {
        let outcome = try await fetch(
            ["overview.csv": Array(Self.analytics.utf8)], CSVLayout(preset: .googleAnalytics))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.usage.map { "\($0.date) \($0.activeUsers ?? -1)" } == [
                "2026-11-01 1234", "2026-11-02 1240",
            ])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "files: line 7, 1 day: expected a whole number or nothing, found \"x\""
            ])
        let preview = try TablePreview(Array(Self.analytics.utf8), document: "t.csv")
        #expect(preview.configuration(path: "t.csv").last == "  preset: google-analytics")
        #expect(preview.rows == [["2026-11-01", "1234"], ["2026-11-02", "1240"]])
    }

    /// In another language the headers are named by `columns`, numbers are read as they are written there, and the
    /// table that has the columns may be a later one.
    @Test func tablesOfAnotherLanguageAreNamedByColumns() async throws {
        let text = """
            # Startdatum: 20261118
            Land;Aktive Nutzer
            Portugal;812

            # Startdatum: 20261118
            N. Tag;Nutzer insgesamt;Nutzer ohne Absturz
            0000;12.345;99,5 %
            0001;12.400;99,1 %

            """
        let layout = CSVLayout(columns: [
            .date: "N. Tag", .users: "Nutzer insgesamt", .crashFreeUsers: "Nutzer ohne Absturz",
        ])
        let outcome = try await fetch(["t.csv": Array(text.utf8)], layout)
        #expect(outcome.diagnostics.map(\.everything) == [])
        #expect(
            outcome.snapshots.first?.health.map(\.line) == [
                "2026-11-18 - 12345/62", "2026-11-19 - 12400/112",
            ])
    }

    // MARK: What is said

    @Test(arguments: [
        (
            "date,users,crashed_users\n03/04/2026,5,1\n",
            "expected a date whose day and month can be distinguished",
            "set 'dates' to day-first or month-first"
        ),
        (
            "Tag,Crash-free\n2026-11-18,99.5%\n", "column \"Crash-free\" gives nothing without a total",
            "name the column of all users with 'columns', as 'users: HEADER'"
        ),
        (
            "foo,bar\n1,2\n", "header has no column 'date'",
            "add 'columns' to the source, each field with your header, such as 'date: Day'"
        ),
    ])
    func aPreviewSaysWhatToDo(table: String, summary: String, hint: String) throws {
        var found: [Diagnostic] = []
        do throws(Diagnostic) {
            found = try TablePreview(Array(table.utf8), document: "t.csv").warnings
        } catch {
            found = [error]
        }
        #expect(found.map(\.hints) == [[hint]])
        #expect(found.first?.summary.contains(summary) == true, "\(found.map(\.summary))")
    }

    /// Without a start date four digits are no day.
    @Test func aNumberOfADayNeedsItsStart() throws {
        #expect(CSVDates([], stated: nil).date("0003") == nil)
        #expect(
            CSVDates([], stated: nil, from: CivilDate("2026-11-01")).date("0003") == CivilDate("2026-11-04"))
        #expect(
            CSVDates([], stated: nil, from: CivilDate("2026-11-01")).date("20261118")
                == CivilDate("2026-11-18"))
    }
}
