import Foundation

/// The other outputs of a world's site: what a CSV or an HTML page says is what the data or the Markdown says.
extension WorldSite {
    /// Holds each number of each table that is a file of its own against the same place of `data.json`.
    mutating func checkTables() {
        for file in tree.paths(".csv") {
            let parts = file.split(separator: "/")
            guard let name = parts.last, name.hasPrefix("data") else { continue }
            let folder = parts.dropLast().map { $0 + "/" }.joined()
            let lines = csvRows(tree[file])
            guard let header = lines.first, let rows = rows(of: name, header, in: folder) else {
                result.wrong.append("\(file): no such table in data.json")
                continue
            }
            guard rows.count == lines.count - 1 else {
                result.wrong.append("\(file): \(lines.count - 1) rows instead of \(rows.count)")
                continue
            }
            for (row, line) in zip(rows, lines.dropFirst()) { check(line, header, row, file) }
        }
    }

    /// The rows of the table of a file: the one that it is named after, or the first, which has no name.
    private func rows(of name: Substring, _ header: [String], in folder: String) -> [[String: Any]]? {
        let file = folder + "data.json"
        if name != "data.csv" { return table(String(name.dropFirst(5).dropLast(4)), of: file) }
        let root = (try? JSONSerialization.jsonObject(with: tree.files[file] ?? Data())) as? [String: Any]
        let tables = root?["tables"] as? [String: [[String: Any]]] ?? [:]
        let unnamed = tables.filter { tree.files["\(folder)data-\($0.key).csv"] == nil }
        return unnamed.count == 1 ? unnamed.values.first : nil
    }

    private mutating func check(_ line: [String], _ header: [String], _ row: [String: Any], _ file: String) {
        for (column, text) in zip(header, line) {
            switch row[column] {
            case let number as NSNumber:
                let said = ["true": 1, "false": 0][text] ?? Double(text)
                // Foundation's reader of JSON misses the last digit of some numbers.
                let isSame = said.map { abs($0 - number.doubleValue) <= 1e-14 * max(1, abs($0)) } ?? false
                if isSame {
                    result.right += 1
                } else {
                    result.wrong.append("\(file): \(column) is \(text) instead of \(number)")
                }
            case is NSNull, nil:
                if text.isEmpty { continue }
                result.wrong.append("\(file): \(column) is \(text) where data.json has none")
            default: continue
            }
        }
    }

    /// The text of an HTML page without its tags.
    func words(ofPage file: String) -> String {
        tree[file].replacing(/<[^>]*>/, with: "").replacing("&amp;", with: "&")
    }
}

/// The rows of a CSV text, with quotes and without (RFC 4180).
private func csvRows(_ text: String) -> [[String]] {
    let scalars = Array(text.unicodeScalars)
    var (rows, row, cell): ([[String]], [String], String) = ([], [], "")
    var (place, isQuoted) = (0, false)
    while place < scalars.count {
        defer { place += 1 }
        switch scalars[place] {
        case "\"" where isQuoted && place + 1 < scalars.count && scalars[place + 1] == "\"":
            cell.append("\"")
            place += 1
        case "\"": isQuoted.toggle()
        case "," where !isQuoted, "\n" where !isQuoted:
            row.append(cell)
            cell = ""
            guard scalars[place] == "\n" else { continue }
            rows.append(row)
            row = []
        case "\r" where !isQuoted: continue
        default: cell.unicodeScalars.append(scalars[place])
        }
    }
    return rows
}
