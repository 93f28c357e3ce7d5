/// A style sheet of which it is known what is syntax and what is in comments, strings and addresses.
struct StyleText {
    let bytes: [UInt8]
    /// The pieces of other text, strings and addresses, in their order.
    let tokens: [StyleToken]
    private let isSyntax: [Bool]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens = styleTokens(bytes)
        var isSyntax = Array(repeating: false, count: bytes.count)
        for token in tokens where token.kind == .other {
            for index in token.range { isSyntax[index] = true }
        }
        self.isSyntax = isSyntax
    }

    /// The brackets that would have to follow for all to have a match; nil when one of them, or a quote, has none.
    ///
    /// A browser closes what is open at the end of a file, and what is put behind the file must not be in it.
    var closing: [UInt8]? {
        var open: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard isSyntax[index] else {
                index += 1
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                guard open.popLast() == bytes[index] else { return nil }
            default: break
            }
            index += 1
        }
        guard index == bytes.count, tokens.allSatisfy(isClosed) else { return nil }
        return open.reversed()
    }

    private func isClosed(_ token: StyleToken) -> Bool {
        guard token.kind != .other, token.kind != .comment, token.range.lowerBound > 0 else { return true }
        let quote = bytes[token.range.lowerBound - 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return true }
        return token.range.upperBound < bytes.count && bytes[token.range.upperBound] == quote
    }

    /// The first place from one on that has neither white space nor a comment.
    func afterSpace(_ place: Int) -> Int {
        var place = place
        while place < bytes.count {
            if isSyntax[place], isSpace(bytes[place]) {
                place += 1
            } else if let comment = tokens.first(where: { $0.kind == .comment && $0.range.contains(place) }) {
                place = comment.range.upperBound
            } else {
                break
            }
        }
        return place
    }

    /// Whether a word begins at a place, in any case, with nothing behind it that would make it longer.
    func has(_ word: String, at place: Int) -> Bool {
        let end = place + word.utf8.count
        guard end <= bytes.count, isSyntax[place..<end].allSatisfy(\.self),
            String(decoding: bytes[place..<end], as: UTF8.self).lowercased() == word
        else { return false }
        return end == bytes.count || !isSyntax[end] || !isNamePart(bytes[end])
    }

    /// Whether a word is anywhere in its syntax.
    func has(_ word: String) -> Bool {
        bytes.indices.contains { bytes[$0] == UInt8(ascii: "@") && has(word, at: $0) }
    }

    /// Where the statement that begins at a place ends: at a `;` or a `{` that is in no brackets, or with the sheet.
    func endOfStatement(_ place: Int) -> Int {
        var (index, depth) = (place, 0)
        while index < bytes.count {
            if isSyntax[index] {
                switch bytes[index] {
                case UInt8(ascii: "\\"): index += 1
                case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ";"), UInt8(ascii: "{"):
                    if depth <= 0 { return index }
                default: break
                }
            }
            index += 1
        }
        return bytes.count
    }

    /// Where the parenthesis that opens at a place ends, behind it; nil when it does not.
    func endOfParenthesis(_ place: Int) -> Int? {
        var depth = 0
        for index in place..<bytes.count where isSyntax[index] {
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { return index + 1 }
            }
        }
        return nil
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
