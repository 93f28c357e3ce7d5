import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
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
            "date,users\n03/04/2026,5\n", "expected a date whose day and month can be distinguished",
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
