import AppHealth
import Statistics

extension ChartTable {
    /// The table for programs, in the form of RFC 4180: whole numbers and rates in 0…1 with all their digits, an
    /// interval as two fields, an empty field where there is no value.
    ///
    /// A text that a spreadsheet would take for a formula is preceded by an apostrophe.
    package var csv: String {
        var text = ""
        text.reserveCapacity(64 + cells.count * columns.count * 12)
        let spans = columns.indices.map { column in
            cells.contains { if case .interval = $0[column] { true } else { false } }
        }
        let names = zip(columns, spans).flatMap { name, isInterval in
            isInterval ? ["Lower bound", "Upper bound"] : [name]
        }
        text += names.map(quoted).joined(separator: ",") + "\r\n"
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
    case .text(let words): text += quoted(words)
    case .day(let day): text += day.description
    case .value(let value, _, _): text += value.map(number) ?? ""
    case .interval(let interval, _, _):
        text += interval.map { number($0.lower) + "," + number($0.upper) } ?? ","
    }
}

private func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
}

private func quoted(_ words: String) -> String {
    // Scalars, not characters: a quote with an accent after it is one character that is no quote.
    let isFormula = words.unicodeScalars.first.map("=+-@\t\r".unicodeScalars.contains) ?? false
    let safe = ((isFormula ? "'" : "") + words).unicodeScalars
    guard safe.contains(where: ",\"\n\r".unicodeScalars.contains) else { return String(safe) }
    let parts = safe.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
    return "\"" + parts.joined(separator: "\"\"") + "\""
}
