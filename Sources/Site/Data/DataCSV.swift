import Markup
import Pages

/// `data.csv` of the first table, and `data-<name>.csv` of each other one.
func csvFiles(_ document: DataDocument) -> [(String, [UInt8])] {
    document.tables.enumerated().map { place, table in
        (place == 0 ? "data.csv" : "data-\(table.name).csv", csvBytes(table))
    }
}

/// A table in the form of RFC 4180, with the header as the first line.
///
/// A text that a spreadsheet would take for a formula is preceded by an apostrophe; what is unsafe is dropped.
func csvBytes(_ table: DataTable) -> [UInt8] {
    var bytes: [UInt8] = []
    func put(_ fields: some Sequence<String>) {
        for (place, field) in fields.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += field.utf8
        }
        bytes += "\r\n".utf8
    }
    put(table.columns)
    for row in table.rows { put(row.lazy.map(csvText)) }
    return bytes
}

private func csvText(_ cell: DataCell) -> String {
    switch cell {
    case .absent: ""
    case .flag(let flag): flag ? "true" : "false"
    case .count(let count): "\(count)"
    case .rate(let number), .number(let number): "\(number)"
    case .text(let text): csvField(text)
    }
}
