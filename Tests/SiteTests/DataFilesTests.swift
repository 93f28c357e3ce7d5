import AppHealth
import Diagnostics
import Foundation
import Pages
import Testing

@testable import Site

struct DataFilesTests {
    private func document(_ columns: [String], _ rows: [[DataCell]], _ more: DataTable...) -> DataDocument {
        DataDocument(
            title: "Quay", capturedAt: Instant("2026-11-20T06:00:00Z"), site: .sample { $0.isDemo = true },
            tables: [DataTable("first", columns: columns, rows: rows)] + more)
    }

    private func table(_ columns: [String], _ rows: [[DataCell]]) -> DataTable {
        DataTable("first", columns: columns, rows: rows)
    }

    @Test func rowsEndAsTheStandardSays() {
        let bytes = csvBytes(
            table(["day", "users"], [[.text("2026-11-20"), .count(3)], [.text("x"), .absent]]))
        #expect(String(decoding: bytes, as: UTF8.self) == "day,users\r\n2026-11-20,3\r\nx,\r\n")
    }

    @Test(arguments: [
        (DataCell.absent, ""), (.count(0), "0"), (.count(-7), "-7"), (.rate(0.5), "0.5"),
        (.flag(true), "true"),
        (.flag(false), "false"), (.text(""), ""), (.text("plain"), "plain"), (.text("a,b"), "\"a,b\""),
        (.text("say \"a\""), "\"say \"\"a\"\"\""), (.text("a\nb"), "\"a\nb\""),
        (.text("a\r\nb"), "\"a\nb\""),
        (.text("a\rb"), "\"a\nb\""), (.text("=1+1"), "'=1+1"), (.text("+1"), "'+1"), (.text("-1"), "'-1"),
        (.text("@SUM(A1)"), "'@SUM(A1)"), (.text("\t=1"), "\"'\t=1\""),
        (.text("\r=1"), "\"'\n=1\""), (.text(" =1+1"), "' =1+1"), (.text("\u{A0}=1"), "'\u{A0}=1"),
        (.text(";=1+cmd"), "\"';=1+cmd\""), (.text("a;=1+cmd"), "\"a;=1+cmd\""), (.text("|-1"), "\"'|-1\""),
        (.text("\"=1"), "\"'\"\"=1\""), (.text("\u{FF1D}1"), "'\u{FF1D}1"), (.text("\u{7}=1"), "'=1"),
        (.text("a\u{1B}[31m\u{202E}\u{9B}b\0"), "a[31mb"), (.text("a\u{FFFE}\u{1FFFF}b"), "ab"),
        (.text("=HYPERLINK(\"http://a\",\"b\")"), "\"'=HYPERLINK(\"\"http://a\"\",\"\"b\"\")\""),
        (.text("a=1"), "a=1"), (.text("a,\u{301}b"), "\"a,\u{301}b\""),
        (.text("a\"\u{301}"), "\"a\"\"\u{301}\""),
        (.text("=\u{338}1"), "'=\u{338}1"), (.text("\r\n=1"), "\"'\n=1\""),
    ])
    func cellsAreSafe(cell: DataCell, text: String) {
        let bytes = csvBytes(table(["a"], [[cell]]))
        #expect(bytes == Array("a\r\n\(text)\r\n".utf8))
    }

    @Test func withoutTablesThereIsNothing() {
        #expect(
            csvFiles(
                DataDocument(
                    title: "x", capturedAt: Instant("2026-11-20T06:00:00Z"), site: .sample(), tables: [])
            ).isEmpty)
    }

    @Test func everyTableHasItsFile() {
        let files = csvFiles(document(["a"], [[.count(1)]], DataTable("second", columns: ["b"], rows: [])))
        #expect(files.map(\.0) == ["data.csv", "data-second.csv"])
        #expect(files.map { String(decoding: $0.1, as: UTF8.self) } == ["a\r\n1\r\n", "b\r\n"])
    }

    @Test func jsonStatesAbsenceAsNull() throws {
        let bytes = jsonBytes(
            document(
                ["text", "count", "rate", "flag", "gone"],
                [[.text("\"</script>\u{1}é"), .count(.max), .rate(0.1), .flag(false), .absent]],
                DataTable("second", columns: ["a"], rows: [])))
        #expect(bytes.last == UInt8(ascii: "\n"))
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(whole["format"] as? String == "plimsoll-data")
        #expect(whole["version"] as? Int == 1)
        #expect(whole["title"] as? String == "Quay")
        #expect(whole["capturedAt"] as? String == "2026-11-20T06:00:00Z")
        #expect(whole["demo"] as? Bool == true)
        let tables = try #require(whole["tables"] as? [String: [[String: Any]]])
        #expect(tables["second"]?.isEmpty == true)
        let row = try #require(tables["first"]?.first)
        #expect(row["text"] as? String == "\"</script>\u{1}é")
        #expect(row["count"] as? Int == .max)
        #expect(row["rate"] as? Double == 0.1)
        #expect(row["flag"] as? Bool == false)
        #expect(row["gone"] is NSNull)
        #expect(row.count == 5)
    }

    @Test func jsonIsTheSameEveryTime() {
        let columns = ["zeta", "alpha", "mid", "b", "a"]
        let made = document(columns, [columns.map { .text($0) }])
        #expect(jsonBytes(made) == jsonBytes(made))
        let text = String(decoding: jsonBytes(made), as: UTF8.self)
        #expect(text.contains(#"{"a":"a","alpha":"alpha","b":"b","mid":"mid","zeta":"zeta"}"#))
    }

    /// It would be an empty file.
    @Test func valueThatJSONCannotHoldIsAnError() throws {
        #expect(
            String(decoding: try jsonFile(["a": "\u{9B}"]), as: UTF8.self) == "{\n  \"a\" : \"\\u009b\"\n}\n")
        do throws(Diagnostics) {
            let bytes = try jsonFile(["rate": Double.nan])
            Testing.Issue.record("\(bytes.count) bytes")
        } catch {
            #expect(error.list.map(\.id) == ["output.json"])
            #expect(error.list.first?.details == ["'rate' is a number that is not finite"])
        }
    }

    /// Foundation writes the same bytes, but for what `jsonSafe` replaces.
    @Test func jsonIsThatOfFoundation() throws {
        let scalars = (0...0x3100).compactMap(Unicode.Scalar.init) + ["\u{1F600}", "\u{E0001}", "\u{FEFF}"]
        let texts = scalars.map { DataCell.text("a\($0)\"\\/") }
        let numbers =
            (0..<400).map { Double(bitPattern: $0 as UInt64 &* 0x9E37_79B9_7F4A_7C15) }
            .filter(\.isFinite) + [0, -0.0, 1, 100, 0.1, 1e15, 1e16, 1e17, 1e-5, 123_456_789_012_345_680]
        for cells in [texts, numbers.map(DataCell.number), [.absent, .flag(true), .count(.min), .text("")]] {
            let made = document(
                ["b", "a", "ab", "B"], cells.map { [$0, .count(1), .absent, .flag(false)] },
                DataTable("another", columns: ["a", "a"], rows: [[.count(1), .count(2)]]))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let text = String(decoding: try encoder.encode(Reference(made)), as: UTF8.self)
            #expect(String(decoding: jsonBytes(made), as: UTF8.self) == jsonSafe(text) + "\n")
        }
    }
}

/// The shape of `data.json`.
private struct Reference: Encodable {
    let format = "plimsoll-data"
    let version = 1
    let title: String
    let capturedAt: String?
    let demo: Bool
    let tables: [String: [[String: Cell]]]

    init(_ document: DataDocument) {
        (title, capturedAt, demo) = (document.title, document.capturedAt?.description, document.isDemo)
        tables = Dictionary(
            uniqueKeysWithValues: document.tables.map { table in
                (
                    table.name,
                    table.rows.map {
                        Dictionary(
                            zip(table.columns, $0.map(Cell.init)), uniquingKeysWith: { first, _ in first })
                    }
                )
            })
    }

    struct Cell: Encodable {
        let cell: DataCell

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch cell {
            case .text(let text): try container.encode(text)
            case .count(let count): try container.encode(count)
            case .rate(let number), .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .absent: try container.encodeNil()
            }
        }
    }
}
