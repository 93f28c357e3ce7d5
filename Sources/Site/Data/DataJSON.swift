import AppHealth
import Diagnostics
import Pages

/// `data.json`: the document with its tables as lists of objects, keys in order.
///
/// The bytes are those of `JSONEncoder` with sorted keys, which takes many times as long: a site has one such file for
/// each day.
func jsonBytes(_ document: DataDocument) -> [UInt8] {
    var json = JSONText()
    json.bytes.append(UInt8(ascii: "{"))
    if let capturedAt = document.capturedAt {
        json.put(name: "capturedAt", isFirst: true)
        json.put(capturedAt.description)
    }
    json.put(name: "demo", isFirst: document.capturedAt == nil)
    json.put(document.isDemo)
    json.put(name: "format")
    json.put("plimsoll-data")
    json.put(name: "tables")
    json.put(document.tables)
    json.put(name: "title")
    json.put(document.title)
    json.put(name: "version")
    json.bytes.append(contentsOf: "1}\n".utf8)
    return json.bytes
}

/// JSON as it is written.
private struct JSONText {
    var bytes: [UInt8] = []

    mutating func put(_ tables: [DataTable]) {
        bytes.append(UInt8(ascii: "{"))
        let own = tables.uniqued(by: \.name)
        for (place, table) in own.sorted(by: { isBefore($0.name, $1.name) }).enumerated() {
            put(name: table.name, isFirst: place == 0)
            put(table)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func put(_ table: DataTable) {
        let columns = table.columns.enumerated().uniqued { $0.element }
            .sorted { isBefore($0.element, $1.element) }
        bytes.append(UInt8(ascii: "["))
        for (place, row) in table.rows.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            for column in columns where column.offset < row.count {
                put(name: column.element, isFirst: isFirst)
                put(row[column.offset])
                isFirst = false
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func put(_ cell: DataCell) {
        switch cell {
        case .text(let text): put(text)
        case .count(let count): bytes.append(contentsOf: "\(count)".utf8)
        case .rate(let number), .number(let number): put(number)
        case .flag(let flag): put(flag)
        case .absent: bytes.append(contentsOf: "null".utf8)
        }
    }

    mutating func put(name: String, isFirst: Bool = false) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        put(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func put(_ flag: Bool) { bytes.append(contentsOf: (flag ? "true" : "false").utf8) }

    /// Whole numbers have no point.
    private mutating func put(_ number: Double) {
        let text = number.description
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }

    mutating func put(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { put(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
        case "\u{8}": bytes.append(contentsOf: "\\b".utf8)
        case "\u{C}": bytes.append(contentsOf: "\\f".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\r": bytes.append(contentsOf: "\\r".utf8)
        case "\t": bytes.append(contentsOf: "\\t".utf8)
        case _ where scalar.isUnsafe: bytes.append(contentsOf: jsonSafe(String(scalar)).utf8)
        default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        }
    }
}

private func isBefore(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
