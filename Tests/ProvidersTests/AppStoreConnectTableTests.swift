import AppHealth
import Testing

@testable import Providers

struct AppStoreConnectTableTests {
    @Test(arguments: [
        ("", 0, 0), ("\n\n", 0, 0), ("Date", 1, 0), ("Date\tSessions\r\n2026-11-18\t5\r\n", 2, 1),
        ("\u{FEFF}Date\tSessions\n\n2026-11-18\t5", 2, 1), ("Date\tDate\n\t\n", 2, 1),
        ("Date\tApp Name\n2026-11-18\ta \"quay\n", 2, 1),
    ])
    func readsLinesOfCells(text: String, columns: Int, rows: Int) {
        let table = AppStoreConnectTable(Array(text.utf8))
        #expect(table.columns.count == columns)
        #expect(table.rows.count == rows)
        #expect(columns == 0 || table.has("Date"))
    }

    @Test(arguments: 0..<200) func neverTrapsOnAnyBytes(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let alphabet = Array("Date\t\n\r2026-11-18\u{0}Sessions\u{FF}".utf8)
        let bytes = (0..<200).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return alphabet[Int(state >> 33) % alphabet.count]
        }
        let table = AppStoreConnectTable(bytes)
        for report in AppStoreConnectReport.allCases {
            var losses = SkippedValues(provider: "p", endpoint: "e")
            let rows = AppStoreConnectRow.rows(of: table, report, app: "1", at: "x", losses: &losses)
            #expect(rows.count <= table.rows.count)
        }
    }

    private func row(_ day: String, _ device: String, _ count: Int?, _ devices: Int?) -> AppStoreConnectRow {
        let text =
            "Date\tDevice\tSessions\tUnique Devices\n\(day)\t\(device)\t\(count.map(String.init) ?? "")\t\(devices.map(String.init) ?? "")"
        var losses = SkippedValues(provider: "p", endpoint: "e")
        return AppStoreConnectRow.rows(
            of: AppStoreConnectTable(Array(text.utf8)), .sessions, app: "1", at: "x", losses: &losses)[0]
    }

    @Test func devicesOfOneKindAreNeverAddedUp() throws {
        let date = try #require(CivilDate("2026-11-18"))
        let cases: [([AppStoreConnectRow], Int?, Int?)] = [
            ([], nil, nil), ([row("2026-11-18", "iPhone", 5, 3)], 5, 3),
            ([row("2026-11-18", "iPhone", 5, 3), row("2026-11-18", "iPad", 2, 1)], 7, 4),
            ([row("2026-11-18", "iPhone", 5, 3), row("2026-11-18", "iPhone", 2, 1)], 7, nil),
            ([row("2026-11-18", "iPhone", 5, 3), row("2026-11-18", "iPad", nil, nil)], 5, nil),
            ([row("2026-11-18", "iPhone", nil, nil)], nil, nil),
        ]
        for (rows, count, devices) in cases {
            var days = AppStoreConnectDays()
            days.add(olderThanAll: rows, until: date)
            #expect(days.count(on: date) == count)
            #expect(days.devices(on: date) == devices)
        }
    }

    /// A row of fewer than five devices is missing: where a table can have others of the kind, one alone may be what is left.
    @Test(arguments: ["App Version", "Platform Version", "Territory", "Source Type", "A later one"])
    func devicesOfADividedTableAreUnknown(column: String) throws {
        var losses = SkippedValues(provider: "p", endpoint: "e")
        let text = "Date\tDevice\t\(column)\tSessions\tUnique Devices\n2026-11-18\tiPhone\tx\t9\t6"
        let rows = AppStoreConnectRow.rows(
            of: AppStoreConnectTable(Array(text.utf8)), .sessions, app: "1", at: "x", losses: &losses)
        #expect(rows.map(\.count) == [9] && rows.map(\.devices) == [nil])
    }

    /// Instances by their last day, newest first, with the days of their rows; nil is one that could not be read. Each day
    /// counts the day of November that ends its instance.
    private static let instances: [([(Int, [Int]?)], [Int: Int])] = [
        ([(19, [18, 19]), (18, [17, 18]), (10, [1])], [1: 10, 17: 18, 18: 19, 19: 19]),
        // The newest cannot be read: what it may cover is not taken from older ones.
        ([(19, nil), (18, [17, 18]), (10, [1])], [1: 10]),
        // What a newer one has is not in doubt.
        ([(19, [18, 19]), (18, nil), (17, [16, 17])], [18: 19, 19: 19]),
        // An instance may cover as many days as another one does.
        ([(19, nil), (18, [9, 18]), (9, [9]), (8, [8])], [8: 8, 9: 18]),
        ([(19, nil), (18, nil), (12, [12, 10])], [10: 12]),
    ]

    @Test(arguments: instances.indices) func anOlderInstanceDoesNotCountForOneThatCouldNotBeRead(index: Int)
        throws
    {
        func day(_ number: Int) throws -> CivilDate {
            try #require(CivilDate("2026-11-\(number < 10 ? "0" : "")\(number)"))
        }
        let (instances, expected) = Self.instances[index]
        var days = AppStoreConnectDays()
        for (last, found) in instances {
            let rows = try found?.map { row(try day($0).description, "iPhone", last, nil) }
            if let rows { days.add(olderThanAll: rows, until: try day(last)) }
        }
        for (last, found) in instances where found == nil { days.remove(coveredUntil: try day(last)) }
        #expect(days.dates == (try expected.keys.sorted().map(day)))
        for (number, last) in expected { #expect(days.count(on: try day(number)) == last) }
    }

    @Test func sumsOfTheLargestCountsDoNotTrap() throws {
        let date = try #require(CivilDate("2026-11-18"))
        var days = AppStoreConnectDays()
        days.add(
            olderThanAll: [AppStoreConnectRow](
                repeating: row("2026-11-18", "a", 1 << 36 - 1, 1), count: 5000),
            until: date)
        #expect(days.count(on: date) == 5000 * (1 << 36 - 1))
    }
}
