/// Cuts a template into text, line ends and tags.
struct Scanner {
    private let text: SourceText
    private var position = 0
    private var open = Array("{{".utf8)
    private var close = Array("}}".utf8)
    private(set) var tokens: [Token] = []
    private(set) var errors: [TemplateError] = []

    init(_ text: SourceText) {
        self.text = text
        while let start = find(open, from: position) {
            appendText(to: start)
            scanTag(at: start)
        }
        appendText(to: text.bytes.count)
    }

    /// Appends what is before the offset, a token for each part of a line.
    private mutating func appendText(to end: Int) {
        while position < end {
            guard let newline = text.bytes[position..<end].firstIndex(of: 0x0A) else {
                tokens.append(Token(kind: .text, range: position..<end))
                break
            }
            let hasReturn = newline > position && text.bytes[newline - 1] == 0x0D
            let lineEnd = hasReturn ? newline - 1 : newline
            if lineEnd > position { tokens.append(Token(kind: .text, range: position..<lineEnd)) }
            tokens.append(Token(kind: .newline, range: lineEnd..<newline + 1))
            position = newline + 1
        }
        position = end
    }

    /// A tag ends before the next one opens: whatever holds the start of another was never closed.
    private mutating func scanTag(at start: Int) {
        let inside = start + open.count
        let sigil = text.bytes[inside...].first
        let (kind, length) = kindOfTag(sigil)
        let from = inside + length
        let ending: [UInt8] =
            switch sigil {
            case UInt8(ascii: "{"): Array("}".utf8) + close
            case UInt8(ascii: "="): Array("=".utf8) + close
            default: close
            }
        // Delimiters may be set to what they are.
        let next = kind == .delimiters ? nil : find(open, from: from)
        guard let end = find(ending, from: from, upTo: next), !isSeveralLines(from..<end, kind) else {
            return appendUnclosedTag(at: start, kind, from: from)
        }
        position = end + ending.count
        appendTag(range: start..<position, kind, trimmed(from..<end))
    }

    /// Whether a tag that has a name has more than that: a name is on one line.
    private func isSeveralLines(_ inside: Range<Int>, _ kind: Token.Kind) -> Bool {
        guard kind != .comment, kind != .delimiters else { return false }
        var name = trimmed(inside)
        if text.bytes[name].first == UInt8(ascii: "*") { name = trimmed(name.dropFirst()) }
        return text.bytes[name].contains(0x0A)
    }

    /// Reports a tag without its end, and goes on behind its name: so it still opens or closes a section, and no other
    /// tag is blamed for it.
    private mutating func appendUnclosedTag(at start: Int, _ kind: Token.Kind, from: Int) {
        if errors.count < SourceText.errorLimit {
            errors.append(text.error(.unclosedTag(excerpt(from: start)), at: start))
        }
        // In which delimiters the rest is written is not known.
        guard kind != .delimiters else {
            position = text.bytes.count
            return
        }
        let name = text.bytes[from...].drop { isWhite($0) || $0 == UInt8(ascii: "*") }.prefix(
            while: isNameByte)
        position = kind == .comment ? from : name.endIndex
        tokens.append(Token(kind: kind, range: start..<position, name: text.text(name.indices)))
    }

    private mutating func appendTag(range: Range<Int>, _ kind: Token.Kind, _ inside: Range<Int>) {
        var name = inside
        if kind == .delimiters { setDelimiters(name, at: range.lowerBound) }
        var isDynamic = false
        if kind == .partial || kind == .parent, text.bytes[name].first == UInt8(ascii: "*") {
            isDynamic = true
            name = trimmed(name.dropFirst())
        }
        tokens.append(Token(kind: kind, range: range, name: text.text(name), isDynamic: isDynamic))
    }

    /// The kind of a tag by its first byte, and how many bytes that takes.
    private func kindOfTag(_ sigil: UInt8?) -> (Token.Kind, Int) {
        switch sigil {
        case UInt8(ascii: "{"), UInt8(ascii: "&"): (.raw, 1)
        case UInt8(ascii: "#"): (.section, 1)
        case UInt8(ascii: "^"): (.inverted, 1)
        case UInt8(ascii: "/"): (.close, 1)
        case UInt8(ascii: "!"): (.comment, 1)
        case UInt8(ascii: ">"): (.partial, 1)
        case UInt8(ascii: "<"): (.parent, 1)
        case UInt8(ascii: "$"): (.block, 1)
        case UInt8(ascii: "="): (.delimiters, 1)
        default: (.variable, 0)
        }
    }

    /// Bytes of a delimiter: each place of a file is compared with all of them.
    private static let longestDelimiter = 16

    private mutating func setDelimiters(_ range: Range<Int>, at offset: Int) {
        let parts = text.bytes[range].split(whereSeparator: isWhite)
        guard parts.count == 2, parts.allSatisfy({ $0.count <= Self.longestDelimiter }),
            !parts.joined().contains(UInt8(ascii: "="))
        else {
            if errors.count < SourceText.errorLimit {
                errors.append(text.error(.badDelimiters(text.text(range.prefix(60))), at: offset))
            }
            return
        }
        (open, close) = (Array(parts[0]), Array(parts[1]))
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isWhite(text.bytes[first]) { range = range.dropFirst() }
        while let last = range.last, isWhite(text.bytes[last]) { range = range.dropLast() }
        return range
    }

    /// Where the needle is; the last place where it may begin is `end`.
    private func find(_ needle: [UInt8], from start: Int, upTo end: Int? = nil) -> Int? {
        let bytes = text.bytes
        let last = min(end ?? bytes.count, bytes.count - needle.count)
        guard let first = needle.first, start <= last else { return nil }
        for index in start...last where bytes[index] == first {
            if bytes[index..<index + needle.count].elementsEqual(needle) { return index }
        }
        return nil
    }

    /// The start of a tag for a message, at most 20 bytes of one line.
    private func excerpt(from start: Int) -> String {
        let bytes = text.bytes[start...].prefix(20).prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A space, a tab or a line end.
func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// A byte of what is meant as a name: a letter, a digit, `.`, `-`, `_`, and what is not ASCII.
private func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
        || ".-_".utf8.contains(byte)
}

/// The bytes of a template, with the way from an offset to a line and a column.
struct SourceText: Sendable {
    /// How many mistakes of one kind are worth reporting in one file; finding their places takes time.
    static let errorLimit = 100

    let source: TemplateSource
    let bytes: [UInt8]

    init(_ source: TemplateSource) {
        self.source = source
        bytes = Array(source.text.utf8)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The line of an offset, from 1.
    func line(at offset: Int) -> Int { 1 + bytes[..<offset].count { $0 == 0x0A } }

    /// A mistake at an offset; the column counts Unicode scalars.
    func error(_ problem: TemplateProblem, at offset: Int) -> TemplateError {
        let lineStart = (bytes[..<offset].lastIndex(of: 0x0A) ?? -1) + 1
        let column = 1 + bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 }
        return TemplateError(problem: problem, path: source.path, line: line(at: offset), column: column)
    }
}

/// A piece of a template.
struct Token {
    enum Kind {
        /// Text without a line end.
        case text
        /// `\n` or `\r\n`.
        case newline
        /// `{{name}}`.
        case variable
        /// `{{{name}}}` or `{{&name}}`.
        case raw
        /// `{{#name}}`.
        case section
        /// `{{^name}}`.
        case inverted
        /// `{{/name}}`.
        case close
        /// `{{!…}}`.
        case comment
        /// `{{>name}}` or `{{>*name}}`.
        case partial
        /// `{{<name}}`.
        case parent
        /// `{{$name}}`.
        case block
        /// `{{=<% %>=}}`.
        case delimiters
    }

    let kind: Kind
    /// The bytes in the template, with the delimiters.
    let range: Range<Int>
    /// What is after the sigil, without white space around it.
    var name = ""
    /// Whether the name follows an asterisk.
    var isDynamic = false

    var opens: Bool { kind == .section || kind == .inverted || isParentOrBlock }
    var isParentOrBlock: Bool { kind == .parent || kind == .block }
}
