import AppHealth
import Diagnostics

/// A table of days: its facts, which column stands where, and its rows.
struct CSVTable {
    let header: CSVText.Record
    let rows: ArraySlice<CSVText.Record>
    let columns: [CSVColumn: Int]
    let facts: [CSVFact: CSVText.Comment]

    /// Reads the head; what is odd in it but leaves it readable goes to the losses.
    init(_ text: CSVText, document: String, losses: inout SkippedValues) throws(CSVSnapshotError) {
        guard let header = text.records.first else { throw .empty }
        self.header = header
        rows = text.records.dropFirst()
        var columns: [CSVColumn: Int] = [:]
        let names = header.fields.map(trimmed)
        for (index, name) in names.enumerated() {
            let place = Location.file(path: document, line: header.line)
            if let column = CSVColumn(rawValue: name) {
                if columns[column] == nil {
                    columns[column] = index
                } else {
                    losses.add(repeated(name, place))
                }
            } else {
                losses.add(unknown(name, place))
            }
        }
        self.columns = columns
        facts = Self.facts(text.comments)
        for need in [CSVColumn.date] where columns[need] == nil {
            throw .header(missing: need.rawValue, names: names, line: header.line)
        }
        let counts = Set(columns.keys).subtracting([.date, .release])
        if counts.isEmpty { throw .header(missing: "sessions", names: names, line: header.line) }
    }

    /// The first comment for each fact.
    static func facts(_ comments: [CSVText.Comment]) -> [CSVFact: CSVText.Comment] {
        var result: [CSVFact: CSVText.Comment] = [:]
        for comment in comments {
            let halves = comment.text.split(separator: ":", maxSplits: 1)
            guard halves.count == 2, let fact = CSVFact(rawValue: trimmed(String(halves[0]))),
                result[fact] == nil
            else { continue }
            result[fact] = CSVText.Comment(line: comment.line, text: trimmed(String(halves[1])))
        }
        return result
    }
}

/// The text without spaces and tabs at its ends.
func trimmed(_ text: String) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    let scalars = text.unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(String.UnicodeScalarView(scalars[...last]))
}

private func repeated(_ name: String, _ place: Location) -> Diagnostic {
    .warning(
        "csv.repeated-column",
        "files: duplicate column \(quoted(name, limit: 60)); first one used",
        at: place, hints: ["remove one of them"])
}

private func unknown(_ name: String, _ place: Location) -> Diagnostic {
    let nearest = nearestName(to: String(name.prefix(60)), among: CSVColumn.allCases.map(\.rawValue))
    return .warning(
        "csv.unknown-column", "files: unknown column \(quoted(name, limit: 60)) ignored",
        at: place,
        hints: nearest.map { ["did you mean '\($0)'?"] } ?? [])
}

/// A text of comma-separated values (RFC 4180), read without a trap on any bytes.
///
/// Beyond the RFC: any kind of line break ends a record, a byte order mark is dropped, empty lines are passed
/// over, and a line that begins with `#` is a comment. A record that breaks the rules costs itself.
struct CSVText: Equatable, Sendable {
    /// One record with the line on which it begins, from 1.
    struct Record: Equatable, Sendable {
        var line: Int
        var fields: [String]
    }

    /// A comment without its `#`.
    struct Comment: Equatable, Sendable {
        var line: Int
        var text: String
    }

    /// A record that was left out; the column counts Unicode scalars from 1.
    struct Fault: Equatable, Sendable {
        enum Problem: Sendable {
            /// A quotation mark in a field that does not begin with one.
            case quoteInside
            /// Something else than a comma or a line break after the quotation mark that ends a field.
            case textAfterQuote
            /// No quotation mark ends the field.
            case unended
            /// More fields than any table of this kind has.
            case tooManyFields
        }

        var line: Int
        var column: Int
        var problem: Problem
    }

    /// The most fields of a record.
    static let mostFields = 64
    /// After so many faults the text is not read on.
    static let mostFaults = 1000

    private(set) var records: [Record] = []
    private(set) var comments: [Comment] = []
    private(set) var faults: [Fault] = []

    init(_ bytes: [UInt8]) {
        var scanner = CSVScanner(bytes)
        while let item = scanner.next(), faults.count < Self.mostFaults {
            switch item {
            case .record(let record): records.append(record)
            case .comment(let comment): comments.append(comment)
            case .fault(let fault): faults.append(fault)
            }
        }
    }
}
