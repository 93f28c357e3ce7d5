import Markup
import Pages

/// Whether each number that a reader sees in the HTML of a page is in its Markdown too.
///
/// Drawings and the words of the owner, whose source the Markdown holds, are skipped. The first number that is
/// missing is reported.
func markdownMismatch(
    html: [UInt8], markdown: [UInt8], in dialect: MarkdownDialect = .github
) -> Mismatch? {
    var known: Set<ShownNumber> = []
    switch dialect {
    case .github, .commonmark: NumberScanner(markdown).markdownNumbers { known.insert($0) }
    case .plain, .slack: NumberScanner(markdown).numbers { known.insert($0) }
    }
    var missing: ShownNumber?
    NumberScanner(html).htmlNumbers { number in
        if missing == nil, !known.contains(number) { missing = number }
    }
    guard let text = missing?.text else { return nil }
    return Mismatch(
        .markdown, "\(text) is in the HTML but not in the Markdown version", "HTML: \(text)",
        "Markdown: absent")
}

/// Finds the numbers in the text of a page: runs of digits with single commas and stops within.
private struct NumberScanner {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The numbers of a text without markup.
    func numbers(_ found: (ShownNumber) -> Void) {
        var number = ShownNumber()
        for byte in bytes + [0] where !number.take(byte) && !number.isEmpty { found(number.end()) }
    }

    /// The numbers of Markdown; the targets of links are no text, and a backslash is not seen.
    func markdownNumbers(_ found: (ShownNumber) -> Void) {
        var number = ShownNumber()
        var index = 0
        func end() {
            if !number.isEmpty { found(number.end()) }
        }
        while index < bytes.count {
            let byte = bytes[index]
            if !number.take(byte), byte != UInt8(ascii: "\\") {
                end()
                if byte == UInt8(ascii: "]"), at(index + 1) == UInt8(ascii: "(") {
                    while index < bytes.count, bytes[index] != UInt8(ascii: ")") { index += 1 }
                } else if byte == UInt8(ascii: "&") {
                    index = skipEntity(index)
                }
            }
            index += 1
        }
        end()
    }

    /// The numbers of HTML outside of tags, drawings and the words of the owner.
    func htmlNumbers(_ found: (ShownNumber) -> Void) {
        var number = ShownNumber()
        var index = 0
        func end() {
            if !number.isEmpty { found(number.end()) }
        }
        while index < bytes.count {
            let byte = bytes[index]
            if number.take(byte) {
                index += 1
                continue
            }
            end()
            switch byte {
            case UInt8(ascii: "<"): index = skipTag(index)
            case UInt8(ascii: "&"): index = skipEntity(index) + 1
            default: index += 1
            }
        }
        end()
    }

    /// The place after a tag, or after all of an element whose content is no text of the page.
    private func skipTag(_ start: Int) -> Int {
        // Most tags differ from these in their first letter.
        let mayBeSilent =
            at(start + 1).map {
                $0 == UInt8(ascii: "s") || $0 == UInt8(ascii: "d") || $0 == UInt8(ascii: "h")
            } ?? false
        for (open, close) in silentElements where mayBeSilent && starts(start, open) {
            var index = start
            while index < bytes.count, !starts(index, close) { index += 1 }
            return index + close.utf8CodeUnitCount
        }
        // A quoted attribute may hold a closing bracket.
        var index = start
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
        }
        return index
    }

    /// The place of the semicolon of a character reference, or the given place when it is none.
    private func skipEntity(_ start: Int) -> Int {
        let limit = min(start + 12, bytes.count)
        return bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) ?? start
    }

    private func starts(_ index: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count, bytes[index] == text.utf8Start.pointee else { return false }
        return (1..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    private func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
}

/// Elements whose content is no text of the page: a drawing, and words of the owner.
private let silentElements: [(open: StaticString, close: StaticString)] = [
    ("<svg", "</svg>"), ("<style", "</style>"), ("<div class=\"prose\"", "</div>"), ("<head>", "</head>"),
]

/// A number as it is shown: digits with commas and stops within. Sixteen signs take no memory of their own, for a page
/// has thousands of numbers.
private struct ShownNumber: Hashable {
    /// Four bits for each of the first signs.
    private var packed: UInt64 = 0
    private var count = 0
    private var rest: [UInt8] = []

    var isEmpty: Bool { count == 0 }

    /// Appends a byte that belongs to the number; false when it does not.
    mutating func take(_ byte: UInt8) -> Bool {
        let sign: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): sign = byte - UInt8(ascii: "0") + 1
        case UInt8(ascii: ".") where count > 0: sign = Self.stop
        case UInt8(ascii: ",") where count > 0: sign = Self.comma
        default: return false
        }
        if count < 16 { packed = packed << 4 | UInt64(sign) } else { rest.append(sign) }
        count += 1
        return true
    }

    /// The number without the stop or the comma that ends a sentence; this one begins again.
    mutating func end() -> ShownNumber {
        defer { self = ShownNumber() }
        while let last = rest.last ?? (count > 0 ? UInt8(packed & 15) : nil), last >= Self.stop {
            if rest.popLast() == nil { packed >>= 4 }
            count -= 1
        }
        return self
    }

    var text: String {
        let first = (0..<(count - rest.count)).map { place in
            UInt8(packed >> (4 * UInt64(count - rest.count - 1 - place)) & 15)
        }
        return String(
            decoding: (first + rest).map { sign in
                switch sign {
                case Self.stop: UInt8(ascii: ".")
                case Self.comma: UInt8(ascii: ",")
                default: sign - 1 + UInt8(ascii: "0")
                }
            }, as: UTF8.self)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(packed) }

    private static let stop: UInt8 = 11
    private static let comma: UInt8 = 12
}
