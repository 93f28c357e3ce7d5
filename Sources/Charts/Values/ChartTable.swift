package import AppHealth
package import Estimates
package import Formatting
import Markup

/// The data of a chart; every row has as many cells as there are columns.
package struct ChartTable: Hashable, Sendable {
    /// The columns, with what people and programs call them.
    let heads: [ChartColumn]
    /// The cells, row by row.
    package let cells: [[ChartCell]]

    /// A table; every row has as many cells as there are columns.
    init(columns: [ChartColumn], cells: [[ChartCell]]) {
        self.heads = columns
        self.cells = cells
    }

    /// The headings.
    package var columns: [String] { heads.map(\.heading) }

    /// The cells as people read them.
    package var rows: [[String]] { cells.map { $0.map(\.shown) } }
}

/// One value of a chart's table.
package enum ChartCell: Hashable, Sendable {
    /// Words; foreign ones are cleaned.
    case text(String)
    /// A day.
    case day(CivilDate)
    /// A value of the chart, or nil when there is none.
    case value(Double?, ChartUnit, PercentFormat)
    /// A difference of rates in -1…1, or nil when there is none; a fraction in a file of data.
    case change(Double?, PercentFormat)
    /// The bounds of an interval, or nil when there is none; two fields in a file of data.
    case interval(Interval?, ChartUnit, PercentFormat)

    /// The value as people read it; a dash when there is none.
    package var shown: String {
        switch self {
        case .text(let text): text
        case .day(let day): day.description
        case .value(let value, let unit, let precision): value.map { unit.text($0, precision) } ?? "–"
        case .change(let change, let precision): change.map(precision.changeText) ?? "–"
        case .interval(let interval, let unit, let precision):
            interval.map { intervalText($0, unit, precision) } ?? "–"
        }
    }
}

func intervalText(_ interval: Interval, _ unit: ChartUnit, _ precision: PercentFormat) -> String {
    guard unit == .count else { return precision.intervalText(interval) }
    return unit.text(interval.lower, precision) + "–" + unit.text(interval.upper, precision)
}

extension ChartTable {
    /// The table for programs, in the form of RFC 4180: whole numbers and rates in 0…1 with all their digits, an
    /// interval as two fields, an empty field where there is no value. Its head has the keys of the columns, which
    /// stay when a heading is reworded.
    ///
    /// A text that a spreadsheet would take for a formula is preceded by an apostrophe.
    package var csv: String {
        var text = ""
        text.reserveCapacity(64 + cells.count * heads.count * 12)
        let spans = heads.indices.map { column in
            cells.contains { if case .interval = $0[column] { true } else { false } }
        }
        let names = zip(heads, spans).flatMap { $1 ? $0.boundKeys : [$0.key] }
        text += names.map(csvField).joined(separator: ",") + "\r\n"
        for row in cells {
            for (column, cell) in row.enumerated() {
                if column > 0 { text += "," }
                append(cell, to: &text)
            }
            text += "\r\n"
        }
        return text
    }
}

private func append(_ cell: ChartCell, to text: inout String) {
    switch cell {
    case .text(let words): text += csvField(words)
    case .day(let day): text += day.description
    case .value(let value, _, _): text += value.map(number) ?? ""
    case .change(let change, _): text += change.map(number) ?? ""
    case .interval(let interval, _, _):
        text += interval.map { number($0.lower) + "," + number($0.upper) } ?? ","
    }
}

private func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
}

/// What a report checks of its charts.
extension ChartTable {
    /// The last value of a line, with its day where the rows are days; nil when there is none.
    package var lastValue: (day: CivilDate?, value: Double)? {
        // The first column names the row: a day, or a place in a line without days.
        for row in cells.reversed() where row.count > 1 {
            guard case .value(let value?, _, _) = row[1] else { continue }
            if case .day(let day) = row[0] { return (day, value) }
            return (nil, value)
        }
        return nil
    }

    /// Rates below 0 or above 1.
    package var ratesOutOfBounds: [Double] {
        cells.joined().compactMap { cell in
            guard case .value(let value?, .rate, _) = cell, !(0...1).contains(value) else { return nil }
            return value
        }
    }

    /// The first cell that differs between a file of data and the table: both values as texts; nil when they
    /// agree. Numbers are compared as people read them.
    package func disagreement(withCSV text: String) -> (table: String, file: String)? {
        let lines = csvLines(text)
        guard lines.count == cells.count + 2 else {
            return ("\(cells.count) rows", "\(max(0, lines.count - 2)) rows")
        }
        for (row, line) in zip(cells, lines.dropFirst()) {
            var fields = csvFields(line)[...]
            for cell in row {
                let found = cell.found(in: &fields)
                if let found, found != cell.shown { return (cell.shown, found) }
            }
        }
        return nil
    }
}

extension ChartCell {
    /// What the next fields of a file say of the cell, as people read it; nil for words, which are quoted there.
    fileprivate func found(in fields: inout ArraySlice<Substring>) -> String? {
        let first = fields.popFirst() ?? ""
        switch self {
        case .text: return nil
        case .day: return String(first)
        case .value(_, let unit, let display):
            return first.isEmpty ? "–" : Double(first).map { unit.text($0, display) } ?? String(first)
        case .change(_, let display):
            return first.isEmpty ? "–" : Double(first).map(display.changeText) ?? String(first)
        case .interval(_, let unit, let display):
            let second = fields.popFirst() ?? ""
            guard let lower = Double(first), let upper = Double(second) else {
                return first.isEmpty && second.isEmpty ? "–" : "\(first)–\(second)"
            }
            return intervalText(Interval(lower: lower, upper: upper), unit, display)
        }
    }
}

/// The lines of a file, of which each ends with a carriage return and a line feed, and what is behind the last.
private func csvLines(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)
    }
}

/// The fields of a line; a comma between quotes belongs to its field.
private func csvFields(_ line: Substring) -> [Substring] {
    var fields: [Substring] = []
    var start = line.startIndex
    var isQuoted = false
    for index in line.utf8.indices {
        let byte = line.utf8[index]
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        guard byte == UInt8(ascii: ","), !isQuoted else { continue }
        fields.append(line[start..<index])
        start = line.utf8.index(after: index)
    }
    return fields + [line[start...]]
}
