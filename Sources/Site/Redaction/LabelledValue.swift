import Foundation
import Markup

/// A value that is in a place whose name says what it is: a cell under its heading or next to the label of its
/// row, a member of an object, a value behind its term.
struct LabelledValue: Hashable {
    let label: String
    let value: String
    /// The line of the file, from 1; nil where the form has no lines.
    let line: Int?
    /// What kind of place it is in.
    var place = Place.other

    /// Kinds of places, as far as their difference matters.
    enum Place: Hashable {
        /// Behind the label that begins its row, which is under a heading.
        case row(heading: String)
        /// Behind the label that begins its line.
        case line
        /// Anywhere else.
        case other
    }
}

/// A line such as `- Users: 69`.
struct LabelledLine: Hashable {
    let label: String
    let value: String

    init(label: String, value: String) { (self.label, self.value) = (label, value) }

    /// Nil without a colon.
    init?(_ line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        (label, value) = (plain(line[..<colon]), plain(line[line.index(after: colon)...]))
    }
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

/// The cells of a table under their headings, and next to the label that begins their row.
func labelledRow(_ cells: [String], under headings: [String], line: Int?) -> [LabelledValue] {
    cells.enumerated().flatMap { place, cell -> [LabelledValue] in
        let column = place < headings.count ? headings[place] : nil
        let row = place > 0 ? cells.first : nil
        return [
            column.map { LabelledValue(label: $0, value: cell, line: line) },
            row.map {
                LabelledValue(label: $0, value: cell, line: line, place: .row(heading: headings.first ?? ""))
            },
        ].compactMap(\.self)
    }
}

/// The values of tables and of lists of terms.
func labelledHTML(_ bytes: [UInt8]) -> [LabelledValue] {
    var reader = LabelledHTML(bytes: bytes)
    for tag in markupTags(bytes) { reader.read(tag) }
    return reader.values
}

/// Reads the tags in their order; end tags of cells may be skipped.
private struct LabelledHTML {
    let bytes: [UInt8]
    var values: [LabelledValue] = []
    private var headings: [String] = []
    private var cells: [String] = []
    private var term = ""
    /// The element whose text is being read, and where the text begins.
    private var open: (name: String, isHeading: Bool, start: Int)?

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ tag: MarkupTag) {
        guard ["table", "tr", "th", "td", "dt", "dd", "dl", "thead", "tbody"].contains(tag.name) else {
            return
        }
        close(before: tag)
        switch (tag.name, tag.isEnd) {
        case ("table", _):
            endRow(tag.line)
            headings = []
        case ("tr", _): endRow(tag.line)
        case ("th", false):
            open = (tag.name, tag["scope"] == "col", tag.range.upperBound)
        case ("td", false), ("dt", false), ("dd", false):
            open = (tag.name, false, tag.range.upperBound)
        default: break
        }
    }

    private mutating func endRow(_ line: Int) {
        values += labelledRow(cells, under: headings, line: line)
        cells = []
    }

    private mutating func close(before tag: MarkupTag) {
        guard let element = open else { return }
        open = nil
        let text = plainText(bytes[element.start..<max(element.start, tag.range.lowerBound)])
        switch element.name {
        case "dt": term = text
        case "dd": values.append(LabelledValue(label: term, value: text, line: tag.line))
        case _ where element.isHeading: headings.append(text)
        default: cells.append(text)
        }
    }
}

/// The text between tags, its white space as single spaces.
private func plainText(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isTag = false
    for byte in bytes {
        if byte == UInt8(ascii: "<") { isTag = true }
        if !isTag { text.append(byte) }
        if byte == UInt8(ascii: ">") { isTag = false }
    }
    return resolvedEntities(String(decoding: text, as: UTF8.self)).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
}

/// The values of tables with bars, and of lines such as `- Users: 69`.
func labelledMarkdown(_ bytes: [UInt8]) -> [LabelledValue] {
    var values: [LabelledValue] = []
    var headings: [String] = []
    for (index, line) in String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
        guard line.hasPrefix("|") else {
            headings = []
            values +=
                LabelledLine(line).map {
                    [LabelledValue(label: $0.label, value: $0.value, line: index + 1, place: .line)]
                } ?? []
            continue
        }
        let cells = cells(of: line).map(plain)
        if headings.isEmpty {
            headings = cells
        } else {
            values += labelledRow(cells, under: headings, line: index + 1)
        }
    }
    return values
}

/// The cells of a row of a table: a bar behind a backslash is part of its cell.
private func cells(of row: Substring) -> [Substring] {
    var cells: [Substring] = []
    var (start, index) = (row.index(after: row.startIndex), row.index(after: row.startIndex))
    while index < row.endIndex {
        let isEscaped = row[index] == "\\"
        if row[index] == "|" {
            cells.append(row[start..<index])
            start = row.index(after: index)
        }
        row.formIndex(after: &index)
        if isEscaped, index < row.endIndex { row.formIndex(after: &index) }
    }
    return cells
}

/// Without the marks of lists and of emphasis at its ends.
func plain(_ text: Substring) -> String {
    func isMark(_ character: Character) -> Bool { " *_-`\r".contains(character) }
    let start = text.drop(while: isMark)
    return String(start.reversed().drop(while: isMark).reversed())
}

/// The cells of a CSV file under its headings.
func labelledCells(_ bytes: [UInt8]) -> [LabelledValue] {
    let rows = cellRows(bytes)
    guard let headings = rows.first else { return [] }
    return rows.dropFirst().enumerated().flatMap { index, cells in
        zip(headings, cells).map { LabelledValue(label: $0, value: $1, line: index + 2) }
    }
}

/// The rows of a file in the form of RFC 4180; the last one may have no line end.
private func cellRows(_ bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = []
    var (cells, cell): ([String], [UInt8]) = ([], [])
    var isQuoted = false
    func text() -> String { String(decoding: cell, as: UTF8.self) }
    for byte in bytes {
        switch byte {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted:
            cells.append(text())
            cell = []
        case UInt8(ascii: "\n") where !isQuoted:
            rows.append(cells + [text()])
            (cells, cell) = ([], [])
        case UInt8(ascii: "\r") where !isQuoted: break
        default: cell.append(byte)
        }
    }
    if !cells.isEmpty || !cell.isEmpty { rows.append(cells + [text()]) }
    return rows
}

/// The members of the rows of `data.json`.
func labelledMembers(_ bytes: [UInt8]) -> [LabelledValue] {
    guard let file = try? JSONDecoder().decode(TablesFile.self, from: Data(bytes)) else { return [] }
    return file.tables.sorted { $0.key < $1.key }.flatMap { $0.value }.flatMap { row in
        row.sorted { $0.key < $1.key }.map { LabelledValue(label: $0, value: $1.text, line: nil) }
    }
}

private struct TablesFile: Decodable {
    let tables: [String: [[String: Member]]]
}

/// A value of a row as text; nothing for `null`.
private struct Member: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int.self) {
            text = "\(whole)"
        } else if let number = try? container.decode(Double.self) {
            text = "\(number)"
        } else if let words = try? container.decode(String.self) {
            text = words
        } else {
            text = ""
        }
    }
}
