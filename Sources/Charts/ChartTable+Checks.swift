package import AppHealth
import Statistics

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

    /// The first cell that a file of data tells otherwise than the table: both values as texts; nil when they
    /// agree. Numbers are compared as people read them.
    package func disagreement(withCSV text: String) -> (table: String, file: String)? {
        // A line feed after a carriage return is one character with it.
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard lines.count == cells.count + 2 else {
            return ("\(cells.count) rows", "\(max(0, lines.count - 2)) rows")
        }
        for (row, line) in zip(cells, lines.dropFirst()) {
            var fields = csvFields(line)[...]
            for cell in row {
                let told = cell.told(&fields)
                if let told, told != cell.shown { return (cell.shown, told) }
            }
        }
        return nil
    }
}

extension ChartCell {
    /// What the next fields of a file say of the cell, as people read it; nil for words, which are quoted there.
    fileprivate func told(_ fields: inout ArraySlice<Substring>) -> String? {
        let first = fields.popFirst() ?? ""
        switch self {
        case .text: return nil
        case .day: return String(first)
        case .value(_, let unit, let display):
            return first.isEmpty ? "–" : Double(first).map { unit.text($0, display) } ?? String(first)
        case .interval(_, let unit, let display):
            let second = fields.popFirst() ?? ""
            guard let lower = Double(first), let upper = Double(second) else {
                return first.isEmpty && second.isEmpty ? "–" : "\(first)–\(second)"
            }
            return intervalText(Interval(lower: lower, upper: upper), unit, display)
        }
    }
}

/// The fields of a line; a comma between quotes belongs to its field.
private func csvFields(_ line: Substring) -> [Substring] {
    var fields: [Substring] = []
    var start = line.startIndex
    var isQuoted = false
    for index in line.unicodeScalars.indices {
        let scalar = line.unicodeScalars[index]
        if scalar == "\"" { isQuoted.toggle() }
        guard scalar == ",", !isQuoted else { continue }
        fields.append(line[start..<index])
        start = line.unicodeScalars.index(after: index)
    }
    return fields + [line[start...]]
}
