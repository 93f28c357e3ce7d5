import Diagnostics

/// A segment's text: lines of cells between tabs, the first line naming the columns; nothing is quoted.
struct AppStoreConnectTable {
    /// A line with its number, from 1.
    struct Row {
        var line: Int
        var cells: [String]
    }

    /// The names of the columns in their order; empty for an empty text.
    let columns: [String]
    let rows: [Row]
    private let places: [String: Int]

    init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var rows: [Row] = []
        for (index, line) in bytes[start...].split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        {
            let plain = line.last == 0x0D ? line.dropLast() : line
            guard !plain.isEmpty else { continue }
            let cells = plain.split(separator: 0x09, omittingEmptySubsequences: false)
            rows.append(
                Row(line: index + 1, cells: cells.map { trimmed(String(decoding: $0, as: UTF8.self)) }))
        }
        columns = rows.first?.cells ?? []
        self.rows = Array(rows.dropFirst())
        places = Dictionary(columns.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    }

    /// The cell of a column; empty when there is none.
    func cell(_ column: String, _ row: Row) -> String {
        guard let place = places[column], row.cells.indices.contains(place) else { return "" }
        return row.cells[place]
    }

    /// Whether it has the column.
    func has(_ column: String) -> Bool { places[column] != nil }
}
