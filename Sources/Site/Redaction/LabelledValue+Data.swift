import Foundation

/// The cells of a CSV file under its headings.
func labelledCells(_ bytes: [UInt8]) -> [LabelledValue] {
    let rows = cellRows(bytes)
    guard let headings = rows.first else { return [] }
    return rows.dropFirst().enumerated().flatMap { index, cells in
        zip(headings, cells).map { LabelledValue(label: $0, value: $1, line: index + 2) }
    }
}

/// The rows of a file in the form of RFC 4180.
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
