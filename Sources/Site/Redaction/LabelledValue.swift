import Markup

/// A value that stands in a place whose name says what it is: a cell under its heading or beside the label of its
/// row, a member of an object, a value behind its term.
struct LabelledValue: Hashable {
    let label: String
    let value: String
    /// The line of the file, from 1; nil where the form has no lines.
    let line: Int?
}

/// The values of a file that have labels, as far as its kind has such places.
func labelledValues(in bytes: [UInt8], of path: String) -> [LabelledValue] {
    switch path {
    case _ where path.hasSuffix(".html"): labelledHTML(bytes)
    case _ where path.hasSuffix(".md") || path.hasSuffix(".txt"): labelledMarkdown(bytes)
    case _ where path.hasSuffix(".csv"): labelledCells(bytes)
    case _ where path.hasSuffix("data.json"): labelledMembers(bytes)
    default: []
    }
}

/// The cells of a table under their headings, and beside the label that begins their row.
func labelledRow(_ cells: [String], under headings: [String], line: Int?) -> [LabelledValue] {
    cells.enumerated().flatMap { place, cell -> [LabelledValue] in
        let labels =
            (place < headings.count ? [headings[place]] : []) + (place > 0 ? cells.prefix(1).map { $0 } : [])
        return labels.map { LabelledValue(label: $0, value: cell, line: line) }
    }
}
