import AppHealth
import Estimates
import Formatting
import Testing

@testable import Charts

struct CondensedTableTests {
    private static let first = CivilDate(year: 2026, month: 11, day: 1)

    /// Rows of successive days; a letter other than a digit is a state without a value, `x` a day that is not there.
    private func rows(_ days: String) -> [[ChartCell]] {
        days.enumerated().compactMap { back, sign in
            guard sign != "x", let first = Self.first else { return nil }
            let value = sign.wholeNumberValue.map(Double.init)
            return [
                .day(first.advanced(by: back)), .value(value, .count, PercentFormat(decimals: 0)),
                .interval(nil, .count, PercentFormat(decimals: 0)), .text(value == nil ? "Not fetched" : ""),
            ]
        }
    }

    @Test(
        arguments: [
            ("", []), ("1", ["01"]), ("12", ["01", "02"]), ("11", ["01", "02"]), ("111", ["01 to 03"]),
            ("aaa12", ["01 to 03", "04", "05"]), ("0aaaa000", ["01", "02 to 05", "06 to 08"]),
            ("aaxaa", ["01", "02", "04", "05"]), ("aaaxaaa", ["01 to 03", "05 to 07"]),
        ] as [(String, [String])])
    func daysThatSayTheSameAreOneRow(days: String, expected: [String]) {
        let table = ChartTable(columns: [.day, .value(.count), .interval, .state], cells: rows(days))
        let shown = table.condensed.rows.map { $0[0].replacing("2026-11-", with: "") }
        #expect(shown == expected)
        #expect(table.withoutEmptyColumns.cells.count == table.cells.count)
    }

    /// Texts of strangers are no formulas in files of charts either.
    @Test(arguments: [
        ("plain", "plain"), ("a;=1+1", "\"a;=1+1\""), (" =1+2", "' =1+2"), ("\u{FF1D}1", "'\u{FF1D}1"),
        ("\u{200B}=1", "'\u{200B}=1"), ("|=1", "\"'|=1\""), ("\t=1", "\"'\t=1\""), ("a\"b", "\"a\"\"b\""),
    ])
    func textsOfFilesAreSafe(text: String, field: String) throws {
        let day = try #require(Self.first)
        let table = ChartTable(columns: [.day, .state], cells: [[.day(day), .text(text)]])
        #expect(table.csv.hasSuffix("\r\n2026-11-01,\(field)\r\n"), "\(table.csv)")
    }

    @Test(
        arguments: [
            ("123", ["Day", "Count"]), ("a23", ["Day", "Count", "State"]), ("aaa", ["Day", "State"]),
            ("", ["Day"]),
        ] as [(String, [String])])
    func columnsWithoutAValueAreLeftOut(days: String, expected: [String]) {
        let table = ChartTable(columns: [.day, .value(.count), .interval, .state], cells: rows(days))
        #expect(table.condensed.columns == expected && table.withoutEmptyColumns.columns == expected)
        #expect(table.condensed.cells.allSatisfy { $0.count == expected.count })
    }
}
