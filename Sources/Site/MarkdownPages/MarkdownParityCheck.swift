import Markup
import Pages

/// Whether each number that a reader sees in the HTML of a page is in its Markdown too.
///
/// Drawings and the words of the owner, whose source the Markdown holds, are skipped. The first number that is
/// missing is reported.
func markdownMismatch(
    html: [UInt8], markdown: [UInt8], in dialect: MarkdownDialect = .github
) -> Mismatch? {
    var known: Set<[UInt8]> = []
    switch dialect {
    case .github, .commonmark: NumberScanner(markdown).markdownNumbers { known.insert($0) }
    case .plain, .slack: NumberScanner(markdown).numbers { known.insert($0) }
    }
    var missing: [UInt8]?
    NumberScanner(html).htmlNumbers { number in
        if missing == nil, !known.contains(number) { missing = number }
    }
    guard let missing else { return nil }
    let text = String(decoding: missing, as: UTF8.self)
    return Mismatch(
        .markdown, "\(text) is in the HTML but not in the Markdown version", "HTML: \(text)",
        "Markdown: absent")
}

/// Finds the numbers in the text of a page: runs of digits with single commas and stops within.
private struct NumberScanner {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The numbers of a text without markup.
    func numbers(_ found: ([UInt8]) -> Void) {
        var number: [UInt8] = []
        for byte in bytes + [0] {
            if isDigit(byte) || (!number.isEmpty && isInner(byte)) {
                number.append(byte)
            } else if !number.isEmpty {
                found(trimmed(number))
                number.removeAll(keepingCapacity: true)
            }
        }
    }

    /// The numbers of Markdown; the targets of links are no text, and a backslash is not seen.
    func markdownNumbers(_ found: ([UInt8]) -> Void) {
        var number: [UInt8] = []
        var index = 0
        func end() {
            if !number.isEmpty { found(trimmed(number)) }
            number.removeAll(keepingCapacity: true)
        }
        while index < bytes.count {
            let byte = bytes[index]
            if isDigit(byte) || (!number.isEmpty && isInner(byte)) {
                number.append(byte)
            } else if byte != UInt8(ascii: "\\") {
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
    func htmlNumbers(_ found: ([UInt8]) -> Void) {
        var number: [UInt8] = []
        var index = 0
        func end() {
            if !number.isEmpty { found(trimmed(number)) }
            number.removeAll(keepingCapacity: true)
        }
        while index < bytes.count {
            let byte = bytes[index]
            if isDigit(byte) || (!number.isEmpty && isInner(byte)) {
                number.append(byte)
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
        let silent: [(open: StaticString, close: StaticString)] = [
            ("<svg", "</svg>"), ("<style", "</style>"), ("<div class=\"prose\"", "</div>"),
            ("<head>", "</head>"),
        ]
        for (open, close) in silent where starts(start, open) {
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
        guard index + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
    }

    private func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private func isInner(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") }

    /// Without the stop or the comma that ends a sentence.
    private func trimmed(_ number: [UInt8]) -> [UInt8] {
        var number = number
        while let last = number.last, isInner(last) { number.removeLast() }
        return number
    }
}
