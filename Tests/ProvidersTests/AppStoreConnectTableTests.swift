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
            days.add(olderThanAll: rows)
            #expect(days.count(on: date) == count)
            #expect(days.devices(on: date) == devices)
        }
    }

    @Test func sumsOfTheLargestCountsDoNotTrap() throws {
        let date = try #require(CivilDate("2026-11-18"))
        var days = AppStoreConnectDays()
        days.add(
            olderThanAll: [AppStoreConnectRow](repeating: row("2026-11-18", "a", 1 << 36 - 1, 1), count: 5000)
        )
        #expect(days.count(on: date) == 5000 * (1 << 36 - 1))
    }
}
