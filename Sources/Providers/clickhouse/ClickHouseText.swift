import AppHealth
import Diagnostics

/// A name in backquotes: whatever is in it, it stays one name.
func clickHouseName(_ name: String) -> String {
    "`" + name.replacing("\\", with: "\\\\").replacing("`", with: "\\`") + "`"
}

/// A text in quotes.
func clickHouseString(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
}

/// The name of a table, with its database before a dot or without it.
func clickHouseTable(_ name: String) -> String {
    name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map {
        clickHouseName(String($0))
    }.joined(separator: ".")
}

// A value of a query; the query states its type, `{from:Date}`.
extension WarehouseParameter {
    /// The value as `param_…` carries it: escaped as in tab-separated text.
    var clickHouseText: String {
        switch self {
        case .text(let text):
            text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
                .replacing("\r", with: "\\r").replacing("\0", with: "\\0")
        case .date(let date): date.description
        case .instant(let number), .number(let number): String(number)
        }
    }

    /// The value as it may stand in a query; nil for a text with signs that are no part of a usual name. For servers
    /// that bind no parameters.
    var clickHouseLiteral: String? {
        switch self {
        case .text(let text):
            text.utf8.count <= 200 && text.unicodeScalars.allSatisfy(isPlain) ? "'\(text)'" : nil
        case .date(let date): "toDate('\(date)')"
        case .instant(let number), .number(let number): String(number)
        }
    }
}

private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", ":", "/", "@", "+", " ": true
    default: false
    }
}

/// A query in pieces: what is between its parameters, and these.
struct ClickHouseText: Sendable {
    enum Piece: Hashable, Sendable {
        case text(String)
        /// `{name:Type}`.
        case parameter(String, type: String)
    }

    /// Why a text is no query that may be sent.
    enum Fault: Error, Hashable {
        /// A quote, a comment or a bracket does not end.
        case open(String)
        /// More than one statement.
        case several
    }

    private(set) var pieces: [Piece] = []
    /// How many brackets are open at the end; -1 when one was closed that was not open.
    private(set) var depth = 0

    init(_ text: String) throws(Fault) {
        let scalars = Array(text.unicodeScalars)
        var plain = String.UnicodeScalarView()
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            let end: Int
            switch scalar {
            case "'", "`", "\"": end = try quoteEnd(scalars, place)
            case "-", "#", "/": end = try commentEnd(scalars, place) ?? place + 1
            case "{":
                if let (piece, after) = parameter(scalars, place) {
                    if !plain.isEmpty { pieces.append(.text(String(plain))) }
                    plain = String.UnicodeScalarView()
                    pieces.append(piece)
                    place = after
                    continue
                }
                end = place + 1
            case ";":
                // The last sign of a statement may stay; nothing but comments may follow it.
                guard try isBlank(scalars, place + 1) else { throw .several }
                place = scalars.count
                continue
            case "(", ")":
                depth += depth < 0 ? 0 : scalar == "(" ? 1 : -1
                end = place + 1
            default: end = place + 1
            }
            plain.append(contentsOf: scalars[place..<end])
            place = end
        }
        if !plain.isEmpty { pieces.append(.text(String(plain))) }
        if depth != 0 { throw .open("bracket") }
    }

    /// The query with values for its parameters, where the server cannot bind them; throws the name of one that is
    /// unknown or that cannot be written.
    func bound(_ values: [String: WarehouseParameter]) throws(UnboundParameter) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text): result += text
            case .parameter(let name, _):
                guard let value = values[name] else { throw UnboundParameter(name: name, isKnown: false) }
                guard let literal = value.clickHouseLiteral else {
                    throw UnboundParameter(name: name, isKnown: true)
                }
                result += literal
            }
        }
        return result
    }

    /// The query as it goes to a server that binds parameters.
    var text: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .parameter(let name, let type): "{\(name):\(type)}"
            }
        }.joined()
    }

    /// The names of its parameters.
    var parameters: [String] {
        pieces.compactMap { if case .parameter(let name, _) = $0 { name } else { nil } }
    }
}

/// A parameter that has no value, or one that cannot stand in a query.
struct UnboundParameter: Error, Hashable {
    var name: String
    var isKnown: Bool
}

private func quoteEnd(
    _ scalars: [Unicode.Scalar], _ start: Int
) throws(ClickHouseText.Fault) -> Int {
    var place = start + 1
    while place < scalars.count {
        if scalars[place] == "\\" {
            place += 2
        } else if scalars[place] == scalars[start] {
            return place + 1
        } else {
            place += 1
        }
    }
    throw .open("quote")
}

/// Where a comment that begins at a place ends; nil where none begins.
private func commentEnd(
    _ scalars: [Unicode.Scalar], _ start: Int
) throws(ClickHouseText.Fault) -> Int? {
    guard start + 1 < scalars.count else { return nil }
    switch (scalars[start], scalars[start + 1]) {
    case ("-", "-"), ("#", " "), ("#", "!"):
        return scalars[start...].firstIndex(of: "\n") ?? scalars.count
    case ("/", "*"): break
    default: return nil
    }
    var place = start + 2
    while place + 1 < scalars.count {
        if scalars[place] == "*", scalars[place + 1] == "/" { return place + 2 }
        place += 1
    }
    throw .open("comment")
}

/// Whether nothing but spaces and comments is there from a place on.
private func isBlank(_ scalars: [Unicode.Scalar], _ start: Int) throws(ClickHouseText.Fault) -> Bool {
    var place = start
    while place < scalars.count {
        if scalars[place].properties.isWhitespace {
            place += 1
        } else if let end = try commentEnd(scalars, place) {
            place = end
        } else {
            return false
        }
    }
    return true
}

/// `{name:Type}` at a place; nil for another use of the bracket.
private func parameter(_ scalars: [Unicode.Scalar], _ start: Int) -> (ClickHouseText.Piece, Int)? {
    guard let end = scalars[start...].firstIndex(of: "}"), end - start < 200 else { return nil }
    let inner = scalars[(start + 1)..<end].map(String.init).joined()
    let halves = inner.split(separator: ":", maxSplits: 1).map {
        $0.trimmingPrefix(while: \.isWhitespace)
    }
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty,
        halves[0].utf8.allSatisfy({ isalnumOrUnderscore($0) })
    else { return nil }
    return (.parameter(String(halves[0]), type: String(halves[1])), end + 1)
}

private func isalnumOrUnderscore(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
    default: false
    }
}

/// What the values of a column are, by the type that the server names; nil for one that no column may have.
func clickHouseKind(of type: String) -> WarehouseColumn.Kind? {
    var type = type[...]
    while true {
        if let inner = unwrapped(type, "Nullable(") ?? unwrapped(type, "LowCardinality(") {
            type = inner
        } else if let inner = unwrapped(type, "SimpleAggregateFunction(") {
            type = inner.drop { $0 != "," }.dropFirst().drop { $0 == " " }
        } else {
            break
        }
    }
    let name = type.prefix { $0 != "(" }
    return switch name {
    case "Date", "Date32": .date
    case "DateTime", "DateTime64": .instant
    case "UInt8", "UInt16", "UInt32", "UInt64", "Int8", "Int16", "Int32", "Int64", "UInt128", "UInt256",
        "Int128", "Int256":
        .count
    case "String", "FixedString", "Enum8", "Enum16", "UUID", "IPv4", "IPv6": .text
    default: nil
    }
}

private func unwrapped(_ type: Substring, _ wrapper: String) -> Substring? {
    type.hasPrefix(wrapper) && type.hasSuffix(")") ? type.dropFirst(wrapper.count).dropLast() : nil
}
