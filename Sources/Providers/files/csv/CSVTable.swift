import AppHealth
import Diagnostics

/// A table of days: its facts, which column is where, and its rows.
struct CSVTable {
    let header: CSVText.Record
    let rows: ArraySlice<CSVText.Record>
    /// Where each field is.
    let columns: [CSVColumn: Int]
    /// The headers that the layout names and the table does not have.
    let missing: [CSVColumn: String]
    /// The headers that are not read.
    let unread: [String]
    let facts: [CSVFact: CSVText.Comment]
    /// The zone in which its days begin.
    let zone: FileZone
    let dates: CSVDates
    let decimalMarks: CSVDecimalMarks
    let preset: CSVPreset?
    /// The app that its rows name; nil when they name none, or the layout states it.
    let app: CSVAppName?

    /// Reads the head; what is odd in it but leaves it readable goes to the losses.
    init(
        _ text: CSVText, layout: CSVLayout, document: String, losses: inout SkippedValues
    ) throws(CSVSnapshotError) {
        if let line = text.wideHeaderLine { throw .wide(line: line) }
        let records = text.table(by: layout)
        guard let header = records.first else { throw .empty }
        let names = header.fields.map(trimmed)
        var columns: [CSVColumn: Int] = [:]
        for column in CSVColumn.allCases { columns[column] = layout.place(of: column, among: names) }
        guard let date = columns[.date] else {
            throw .header(missing: layout.header(of: .date), names: names, line: header.line)
        }
        if columns.keys.allSatisfy({ $0 == .date || $0 == .release }) {
            throw .header(missing: layout.headerOfACount, names: names, line: header.line)
        }
        if let dimension = names.first(where: { layout.preset?.dimensions.contains($0) == true }) {
            throw .dimension(dimension, line: header.line)
        }
        self.header = header
        self.columns = columns
        missing = layout.columns.filter { columns[$0.key] == nil }
        preset = layout.preset
        let ours = try layout.rowsOfApp(in: records.dropFirst(), header: header)
        app = ours.app
        rows = Self.counted(ours.rows, names, columns[.newUsers], layout.preset)
        facts = Self.facts(text.comments)
        let stated = facts[.zone].flatMap {
            $0.text.isEmpty ? nil : String($0.text.prefix(LineBound.scalars))
        }
        zone = FileZone(stated ?? layout.preset?.zone ?? "UTC")
        let rows = rows
        decimalMarks = CSVDecimalMarks(
            columns.filter(\.key.isCount).mapValues { place in
                rows.lazy.compactMap { $0.fields.indices.contains(place) ? trimmed($0.fields[place]) : nil }
            })
        dates = CSVDates(
            rows.lazy.compactMap { $0.fields.indices.contains(date) ? trimmed($0.fields[date]) : nil },
            stated: layout.dates ?? layout.preset?.dates, from: text.startDate,
            in: zone)
        if let cell = decimalMarks.doubtful {
            losses.add(doubt(about: cell, .file(path: document, line: header.line)))
        }
        unread = names.indices.filter { !columns.values.contains($0) }.map { names[$0] }
        for column in CSVColumn.allCases {
            guard let rate = column.rate, columns[column] != nil, columns[rate.whole] == nil else { continue }
            losses.add(lonelyRate(name(of: column), rate.whole, .file(path: document, line: header.line)))
        }
        if !layout.isStated { report(names, columns, .file(path: document, line: header.line), &losses) }
    }

    /// What the table calls a field.
    func name(of column: CSVColumn) -> String {
        columns[column].map { trimmed(header.fields[$0]) } ?? column.rawValue
    }

    /// The rows with 0 where they are of something else, or take units back: their day is known all the same.
    private static func counted(
        _ rows: ArraySlice<CSVText.Record>, _ names: [String], _ units: Int?, _ preset: CSVPreset?
    ) -> ArraySlice<CSVText.Record> {
        guard let preset, let counted = preset.counted, names.contains(counted.header), let units
        else { return rows }
        let isCounted = preset.isCounted(names)
        return rows.map { row in
            guard row.fields.indices.contains(units) else { return row }
            var row = row
            let isRefund = trimmed(row.fields[units]).hasPrefix("-")
            if !isCounted(row) || isRefund { row.fields[units] = "0" }
            return row
        }[...]
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

/// Reports headers that are not read, except those that the configuration ignores.
private func report(
    _ names: [String], _ columns: [CSVColumn: Int], _ place: Location, _ losses: inout SkippedValues
) {
    for (index, name) in names.enumerated() where !columns.values.contains(index) {
        let isKnown = CSVColumn.allCases.contains { headerKey($0.rawValue) == headerKey(name) }
        losses.add(isKnown ? repeated(name, place) : unknown(name, place))
    }
}

/// A rate next to nothing that it is of.
private func lonelyRate(_ name: String, _ whole: CSVColumn, _ place: Location) -> Diagnostic {
    .warning(
        "csv.rate", "files: column \(quoted(name, limit: 60)) gives nothing without a total", at: place,
        hints: ["name the column of all \(whole.rawValue) with 'columns', as '\(whole.rawValue): HEADER'"])
}

/// Counts that all end in three zeros.
private func doubt(about cell: String, _ place: Location) -> Diagnostic {
    .warning(
        "csv.thousands", "files: counts such as \(cell) were read as thousands",
        details: ["every count of the table ends in three zeros, as numbers with three decimals do"],
        at: place,
        hints: ["write counts without decimals, such as \(cell.dropLast(4))"])
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
        hints: nearest.map { ["did you mean '\($0)'?"] } ?? ["name the columns to read with 'columns'"])
}

extension CSVText {
    /// The line with more fields than any table has where a header is expected; nil when there is none.
    fileprivate var wideHeaderLine: Int? {
        guard startDate == nil, let fault = faults.first(where: { $0.problem == .tooManyFields }),
            fault.line < records.first?.line ?? .max
        else { return nil }
        return fault.line
    }

    /// The day from which a text numbers its days, by the first comment such as `Start date: 20261101`.
    var startDate: CivilDate? {
        for comment in comments.prefix(40) {
            let digits = trimmed(comment.text.split(separator: ":").last.map(String.init) ?? "")
            guard comment.text.contains(":"), digits.utf8.count == 8, wholeNumber(digits) != nil else {
                continue
            }
            return CivilDate("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
        }
        return nil
    }

    /// The records of the table. A text that states its start date may hold several, parted by blank lines or comments,
    /// each with a header of its own: the first counts that has days and counts.
    fileprivate func table(by layout: CSVLayout) -> ArraySlice<Record> {
        guard startDate != nil else { return records[...] }
        var tables: [ArraySlice<Record>] = []
        var start = records.startIndex
        for index in records.indices.dropFirst() where records[index].line > records[index - 1].line + 1 {
            tables.append(records[start..<index])
            start = index
        }
        tables.append(records[start...])
        return tables.first { table in
            let names = table.first?.fields.map(trimmed) ?? []
            return layout.place(of: .date, among: names) != nil
                && CSVColumn.allCases.contains {
                    $0 != .date && $0 != .release && layout.place(of: $0, among: names) != nil
                }
        } ?? tables[0]
    }
}

/// A text of values separated by commas (RFC 4180), semicolons or tabs, read without a trap on any bytes.
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

    /// A record that was skipped; the column counts Unicode scalars from 1.
    struct Fault: Equatable, Sendable {
        enum Problem: Sendable {
            /// A quotation mark in a field that does not begin with one.
            case quoteInside
            /// Something else than a separator or a line break after the quotation mark that ends a field.
            case textAfterQuote
            /// No quotation mark ends the field.
            case unended
            /// More fields than any table of this kind has.
            case tooManyFields
            /// The last line has no end, so that its last field may be cut.
            case cut
        }

        var line: Int
        var column: Int
        var problem: Problem
    }

    /// The most fields of a record.
    static let mostFields = 64
    /// So many faults are kept, the others are counted.
    static let mostFaults = 1000

    private(set) var records: [Record] = []
    private(set) var comments: [Comment] = []
    private(set) var faults: [Fault] = []
    /// How many faults came after those that are kept.
    private(set) var moreFaults = 0

    /// How the bytes were written.
    let encoding: CSVBytes.Encoding
    /// The first line that is no text in UTF-8; nil where there is none.
    let lineOutsideUTF8: Int?
    /// What is between the fields.
    let separator: CSVSeparator

    /// - Parameter dropsCutLine: whether a last record without a line end is skipped. A file that is being written, or
    ///   copied, ends in the middle of a number that looks like a whole one.
    init(_ raw: [UInt8], dropsCutLine: Bool = false) {
        let text = CSVBytes(raw)
        (encoding, lineOutsideUTF8) = (text.encoding, text.lineOutsideUTF8)
        let stated = CSVSeparator(statedIn: text.bytes)
        separator = stated ?? CSVSeparator(in: text.bytes)
        var scanner = CSVScanner(text.bytes, separator)
        while let item = scanner.next() {
            switch item {
            case .record(let record): records.append(record)
            case .comment(let comment): comments.append(comment)
            case .fault where faults.count == Self.mostFaults: moreFaults += 1
            case .fault(let fault): faults.append(fault)
            }
        }
        if dropsCutLine, scanner.hasEndedInRecord, let last = records.popLast() {
            faults.append(Fault(line: last.line, column: 1, problem: .cut))
        }
        if stated != nil, records.first?.line == 1 { records.removeFirst() }
    }
}
