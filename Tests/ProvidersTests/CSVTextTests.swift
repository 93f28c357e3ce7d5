import Testing

@testable import Providers

struct CSVTextTests {
    private static let records: [(String, [[String]])] = [
        ("", []), ("\n\n", []), ("a", [["a"]]), ("a,b\n", [["a", "b"]]), ("a,\n", [["a", ""]]),
        (",", [["", ""]]),
        ("a\r\nb\rc\nd", [["a"], ["b"], ["c"], ["d"]]), ("\u{FEFF}a,b", [["a", "b"]]),
        (#""a,b","c""d""#, [["a,b", "c\"d"]]), ("\"a\nb\r\nc\",d", [["a\nb\r\nc", "d"]]), (#""""#, [[""]]),
        (#""""""#, [["\""]]), (" a , b ", [[" a ", " b "]]), ("# only a comment\na", [["a"]]),
        ("a,#b", [["a", "#b"]]), ("é,💥\u{301}", [["é", "💥\u{301}"]]), ("a\0b", [["a\0b"]]),
        ("sep=;\na,b;c\n", [["a,b", "c"]]), ("\u{FEFF}\"SEP=,\"\r\na;b,c", [["a;b", "c"]]),
        ("sep=\t\na\tb", [["a", "b"]]), ("sep=|\na,b", [["sep=|"], ["a", "b"]]),
        ("a\nsep=;", [["a"], ["sep=;"]]),
    ]

    @Test(arguments: records)
    func readsRecords(text: String, expected: [[String]]) {
        let table = CSVText(Array(text.utf8))
        #expect(table.records.map(\.fields) == expected)
        #expect(table.faults.isEmpty)
    }

    private static let faults: [(String, [String], [CSVText.Fault])] = [
        ("a\nb\"c,d\ne", ["a", "e"], [.init(line: 2, column: 2, problem: .quoteInside)]),
        ("a\n\"b\"c,d\ne", ["a", "e"], [.init(line: 2, column: 4, problem: .textAfterQuote)]),
        ("a\né,\"b\nc\nd", ["a", "c", "d"], [.init(line: 2, column: 3, problem: .unended)]),
        ("\"", [], [.init(line: 1, column: 1, problem: .unended)]),
        (#""a"""#, [], [.init(line: 1, column: 1, problem: .unended)]),
        ("\"a\n\"b\nc", ["c"], [.init(line: 2, column: 2, problem: .textAfterQuote)]),
        (
            String(repeating: ",", count: 64) + "\na", ["a"],
            [.init(line: 1, column: 65, problem: .tooManyFields)]
        ),
    ]

    @Test(arguments: faults)
    func skipsOnlyTheInvalidRecord(text: String, kept: [String], faults: [CSVText.Fault]) {
        let table = CSVText(Array(text.utf8))
        #expect(table.records.map { $0.fields[0] } == kept)
        #expect(table.faults == faults)
    }

    @Test func distinguishesLinesAndComments() {
        let table = CSVText(Array("# x: 1\r\n\n\"a\nb\"\r\n#y\nc".utf8))
        #expect(table.records.map(\.line) == [3, 6])
        #expect(table.comments == [.init(line: 1, text: " x: 1"), .init(line: 5, text: "y")])
    }

    @Test func bytesThatAreNoTextAreRead() {
        #expect(CSVText([0xFF, 0x2C, 0xC3]).records.map(\.fields) == [["\u{FFFD}", "\u{FFFD}"]])
        #expect(CSVText([0xEF, 0xBB]).records.count == 1)
    }

    /// The last line, which may be cut within a letter, does not count.
    @Test(
        arguments: [
            ([0x61, 0x0A, 0xFC, 0x0A], 2), ([0xFC, 0x0D, 0x0A, 0x61], 1),
            ([0x61, 0x0D, 0x0A, 0x62, 0x0D, 0xC3, 0x0D], 3),
            ([0x61, 0x0A, 0xC3], nil), ([0xC3, 0xBC, 0x0A], nil), ([], nil), ([0xFF, 0xFE, 0x61, 0x00], nil),
        ] as [([UInt8], Int?)])
    func findsTheLineThatIsNotUTF8(bytes: [UInt8], line: Int?) {
        let text = CSVText(bytes)
        #expect(text.lineOutsideUTF8 == line)
        #expect((text.encoding == .other) == (line != nil))
    }

    @Test func whatComesAfterManyFaultsIsRead() {
        let table = CSVText(Array((String(repeating: "a\"\n", count: 5000) + "b,c\n").utf8))
        #expect(table.faults.count == CSVText.mostFaults && table.moreFaults == 5000 - CSVText.mostFaults)
        #expect(table.records.map(\.fields) == [["b", "c"]])
    }

    /// Every text of a small alphabet is read to its end, in order, without a trap.
    @Test func everyShortTextIsRead() {
        let alphabet = Array("\",\n\r#a".utf8)
        for length in 0...5 {
            var digits = [Int](repeating: 0, count: length)
            repeat {
                let table = CSVText(digits.map { alphabet[$0] })
                let lines = table.records.map(\.line)
                #expect(lines == lines.sorted() && table.records.count + table.faults.count <= length)
            } while advance(&digits, alphabet.count)
        }
    }

    private func advance(_ digits: inout [Int], _ base: Int) -> Bool {
        for index in digits.indices {
            digits[index] += 1
            if digits[index] < base { return true }
            digits[index] = 0
        }
        return false
    }
}
