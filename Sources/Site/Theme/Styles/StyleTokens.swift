/// A piece of a style sheet, as far as reading and writing it needs: CSS Syntax Module Level 3, comments, strings
/// and addresses distinguished from the rest.
package struct StyleToken: Hashable {
    package enum Kind {
        /// `/* … */`.
        case comment
        /// What is between quotes, and the name of a namespace.
        case string
        /// What is in `url(…)` or in the quotes behind `@import`.
        case address
        /// Everything else, quotes included.
        case other
    }

    package let kind: Kind
    /// The bytes in the sheet.
    package let range: Range<Int>
}

/// The pieces of a style sheet in order; together they are all its bytes but the backslash-free syntax around them.
package func styleTokens(_ sheet: [UInt8]) -> [StyleToken] {
    var scanner = StyleScanner(sheet: sheet)
    scanner.run()
    return scanner.tokens
}

private struct StyleScanner {
    let sheet: [UInt8]
    var tokens: [StyleToken] = []
    private var position = 0
    /// Where the piece of other text began.
    private var start = 0
    /// Whether this is within `@namespace`, whose address is a name and is not requested.
    private var isNamespace = false

    init(sheet: [UInt8]) { self.sheet = sheet }

    mutating func run() {
        while position < sheet.count {
            switch sheet[position] {
            case UInt8(ascii: "/") where at("/*"): comment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): string(isAddress: follows("@import"))
            case UInt8(ascii: "u"), UInt8(ascii: "U"): address()
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "@"):
                isNamespace = at("@namespace")
                position += 1
            case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                isNamespace = false
                position += 1
            default: position += 1
            }
        }
        position = sheet.count
        flush()
    }

    private mutating func flush() {
        if position > start { tokens.append(StyleToken(kind: .other, range: start..<position)) }
        start = position
    }

    private mutating func add(_ kind: StyleToken.Kind, to end: Int) {
        flush()
        tokens.append(StyleToken(kind: kind, range: position..<end))
        (position, start) = (end, end)
    }

    private mutating func comment() {
        var end = position + 2
        while end + 1 < sheet.count, !(sheet[end] == UInt8(ascii: "*") && sheet[end + 1] == UInt8(ascii: "/"))
        { end += 1 }
        add(.comment, to: min(end + 2, sheet.count))
    }

    private mutating func string(isAddress: Bool) {
        let quote = sheet[position]
        position += 1
        var end = position
        while end < sheet.count, sheet[end] != quote, sheet[end] != 0x0A {
            end += sheet[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        add(isAddress ? .address : .string, to: min(end, sheet.count))
        if position < sheet.count { position += 1 }
    }

    private mutating func address() {
        let isStart = position == 0 || !isNamePart(sheet[position - 1])
        guard isStart, at("url(") else {
            position += 1
            return
        }
        position += 4
        while position < sheet.count, isSpace(sheet[position]) { position += 1 }
        guard position < sheet.count else { return }
        if sheet[position] == UInt8(ascii: "\"") || sheet[position] == UInt8(ascii: "'") {
            return string(isAddress: !isNamespace)
        }
        var end = position
        while end < sheet.count, sheet[end] != UInt8(ascii: ")") { end += 1 }
        var last = end
        while last > position, isSpace(sheet[last - 1]) { last -= 1 }
        add(isNamespace ? .string : .address, to: last)
        position = end
    }

    /// Whether these ASCII letters stand here, in any case.
    private func at(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= sheet.count else { return false }
        return text.withUTF8Buffer { letters in
            (0..<count).allSatisfy { lower(sheet[position + $0]) == letters[$0] }
        }
    }

    /// Whether the word is before this place, with nothing but white space and comments between.
    private func follows(_ word: StaticString) -> Bool {
        var before = sheet[start..<position]
        var earlier = tokens[...]
        while before.allSatisfy(isSpace), let token = earlier.popLast() {
            before = token.kind == .comment ? [] : sheet[token.range]
        }
        return word.withUTF8Buffer { letters in
            before.reversed().drop(while: isSpace).prefix(letters.count).map(lower)
                .elementsEqual(letters.reversed())
        }
    }
}

/// White space of CSS.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

private func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }

func isNamePart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(lower(byte))
}

/// A style sheet without comments and without the white space that means nothing.
///
/// A comment that keeps two words apart becomes an empty one: white space would mean something else in a selector.
/// Strings and addresses stay as they are; so does the white space that may mean something, such as that around
/// `+` in `calc` and between selectors.
package func compactStyle(_ sheet: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(sheet.count)
    var (isSpaceWaiting, isCommentWaiting) = (false, false)
    for token in styleTokens(sheet) {
        guard token.kind == .other else {
            isCommentWaiting = token.kind == .comment
            if isCommentWaiting { continue }
            out += sheet[token.range]
            isSpaceWaiting = false
            continue
        }
        for byte in sheet[token.range] {
            if isSpace(byte) {
                isSpaceWaiting = true
                continue
            }
            if isSpaceWaiting, let last = out.last, !dropsSpaceAfter(last), !dropsSpaceBefore(byte) {
                out.append(0x20)
            }
            if isCommentWaiting, !isSpaceWaiting, let last = out.last, mayJoin(last, byte) {
                out += "/**/".utf8
            }
            (isSpaceWaiting, isCommentWaiting) = (false, false)
            if byte == UInt8(ascii: "."), endsWithBareZero(out) { out.removeLast() }
            if byte == UInt8(ascii: "}"), out.last == UInt8(ascii: ";") { out.removeLast() }
            out.append(byte)
        }
    }
    return out
}

/// Whether a number begins with the zero that is last, as in `0.5`, which is also `.5`.
private func endsWithBareZero(_ out: [UInt8]) -> Bool {
    guard out.last == UInt8(ascii: "0"), let before = out.dropLast().last else { return false }
    return " :,(-".utf8.contains(before)
}

/// Whether two bytes without anything between them may be parts of one word.
private func mayJoin(_ first: UInt8, _ second: UInt8) -> Bool {
    !dropsSpaceAfter(first) && !dropsSpaceBefore(second) && !"([)]".utf8.contains(first)
        && !":)[]".utf8.contains(second)
}

private func dropsSpaceBefore(_ byte: UInt8) -> Bool {
    "{};,>".utf8.contains(byte)
}

private func dropsSpaceAfter(_ byte: UInt8) -> Bool { dropsSpaceBefore(byte) || byte == UInt8(ascii: ":") }
