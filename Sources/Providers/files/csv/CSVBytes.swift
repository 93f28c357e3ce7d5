/// The bytes of a table as UTF-8, whatever they came as: programs on Windows write UTF-16, with or without a mark.
struct CSVBytes: Equatable, Sendable {
    /// How the text is written.
    enum Encoding: String, Sendable {
        case utf8 = "UTF-8"
        case utf16LittleEndian = "UTF-16 LE"
        case utf16BigEndian = "UTF-16 BE"
        case other = "not UTF-8, perhaps Windows-1252"
    }

    let encoding: Encoding
    /// The text in UTF-8, without a mark.
    let bytes: [UInt8]
    /// The first line that is no text in UTF-8; nil where there is none.
    let lineOutsideUTF8: Int?

    init(_ raw: [UInt8]) {
        let form = Self.encoding(of: raw)
        switch form {
        case .utf8, .other: bytes = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(raw.dropFirst(3)) : raw
        case .utf16LittleEndian: bytes = Self.utf8(raw, low: 0, high: 1)
        case .utf16BigEndian: bytes = Self.utf8(raw, low: 1, high: 0)
        }
        lineOutsideUTF8 = Self.lineOutsideUTF8(bytes)
        encoding = lineOutsideUTF8 == nil ? form : .other
    }

    /// By the mark; without one by the zeros next to the first characters, which are of ASCII in every header.
    private static func encoding(of raw: [UInt8]) -> Encoding {
        if raw.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if raw.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        guard raw.count >= 4 else { return .utf8 }
        switch (raw[0] == 0, raw[1] == 0, raw[2] == 0, raw[3] == 0) {
        case (false, true, false, true): return .utf16LittleEndian
        case (true, false, true, false): return .utf16BigEndian
        default: return .utf8
        }
    }

    /// Of lines that end: the last may be cut within a letter.
    private static func lineOutsideUTF8(_ bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var (line, start, index) = (1, 0, 0)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            if String(validating: bytes[start..<index], as: UTF8.self) == nil { return line }
            if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
            (line, start) = (line + 1, index)
        }
        return nil
    }

    private static func utf8(_ raw: [UInt8], low: Int, high: Int) -> [UInt8] {
        let units = stride(from: 0, to: raw.count - raw.count % 2, by: 2).map {
            UInt16(raw[$0 + low]) | UInt16(raw[$0 + high]) << 8
        }
        let text = units.first == 0xFEFF ? units.dropFirst() : units[...]
        return Array(String(decoding: text, as: UTF16.self).utf8)
    }
}

/// What is between the fields of a table.
enum CSVSeparator: UInt8, CaseIterable, Sendable {
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 0x09

    /// As a person calls it.
    var words: String {
        switch self {
        case .comma: "comma"
        case .semicolon: "semicolon"
        case .tab: "tab"
        }
    }

    /// The one that the first line states, as Excel reads it: `sep=;`.
    init?(statedIn bytes: [UInt8]) {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != UInt8(ascii: "\"") }
        guard line.count == 5, let last = line.last,
            String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        self.init(rawValue: last)
    }

    /// The one that is most often in the first line that is no comment, outside of quotation marks.
    init(in bytes: [UInt8]) {
        var counts: [UInt8: Int] = [:]
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(100) {
            guard line.first != UInt8(ascii: "#") else { continue }
            var isQuoted = false
            for byte in line {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if !isQuoted { counts[byte, default: 0] += 1 }
            }
            break
        }
        self = Self.allCases.reduce(.comma) { best, next in
            counts[next.rawValue, default: 0] > counts[best.rawValue, default: 0] ? next : best
        }
    }
}
