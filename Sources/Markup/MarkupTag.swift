import Diagnostics

/// A tag of an HTML or XML document.
package struct MarkupTag: Sendable {
    /// The name in lower case.
    package let name: String
    /// Whether it ends an element.
    package let isEnd: Bool
    /// The attributes in their order, names in lower case, entities of the values resolved.
    package let attributes: [(name: String, value: String)]
    /// The line it begins on, from 1.
    package let line: Int
    /// Its bytes in the document.
    package let range: Range<Int>

    /// The value of an attribute.
    package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// The tags of a document, read as a browser would: comments, declarations, scripts and style sheets are no tags.
package func markupTags(_ bytes: [UInt8]) -> [MarkupTag] {
    var scanner = TagScanner(bytes: bytes)
    return scanner.run()
}

private struct TagScanner {
    let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() -> [MarkupTag] {
        var tags: [MarkupTag] = []
        while skip(to: UInt8(ascii: "<")) {
            if at("<!--") {
                skip(past: "-->")
            } else if at("<![CDATA[") {
                skip(past: "]]>")
            } else if let tag = tag() {
                tags.append(tag)
                let isText = ["script", "style", "title", "textarea"].contains(tag.name)
                if isText, !tag.isEnd, bytes[position - 2] != UInt8(ascii: "/") { skip(to: "</" + tag.name) }
            }
        }
        return tags
    }

    /// A tag; nil for a `<` that begins none.
    private mutating func tag() -> MarkupTag? {
        let (start, place) = (line, position)
        position += 1
        guard position < bytes.count else { return nil }
        let isEnd = bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        guard position < bytes.count, isLetter(bytes[position]) else {
            if !isEnd, position < bytes.count { skip(past: ">") }
            return nil
        }
        let name = word { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }.lowercased()
        var attributes: [(name: String, value: String)] = []
        while let attribute = attribute() { attributes.append(attribute) }
        step()
        return MarkupTag(
            name: name, isEnd: isEnd, attributes: attributes, line: start, range: place..<position)
    }

    private mutating func attribute() -> (name: String, value: String)? {
        while position < bytes.count, isSpace(bytes[position]) || bytes[position] == UInt8(ascii: "/") {
            step()
        }
        guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else { return nil }
        let first = position
        step()
        let rest = word {
            !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
        }
        let name = (String(decoding: [bytes[first]], as: UTF8.self) + rest).lowercased()
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return (name, "") }
        step()
        skipSpace()
        guard position < bytes.count else { return (name, "") }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return (name, resolvedEntities(word { !isSpace($0) && $0 != UInt8(ascii: ">") }))
        }
        step()
        let value = word { $0 != quote }
        step()
        return (name, resolvedEntities(value))
    }

    private mutating func word(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { step() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func step() {
        guard position < bytes.count else { return }
        if bytes[position] == 0x0A { line += 1 }
        position += 1
    }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { step() }
    }

    private mutating func skip(to byte: UInt8) -> Bool {
        while position < bytes.count, bytes[position] != byte { step() }
        return position < bytes.count
    }

    private mutating func skip(to text: String) {
        while position < bytes.count, !at(text) { step() }
    }

    private mutating func skip(past text: String) {
        skip(to: text)
        for _ in text.utf8 { step() }
    }

    /// Whether the text is here, ASCII letters in any case.
    private func at(_ text: String) -> Bool {
        guard bytes[position] == text.utf8.first, position + text.utf8.count <= bytes.count else {
            return false
        }
        return zip(bytes[position...], text.utf8).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && isLetter($0)) }
    }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

/// A text with its character references resolved, as far as pages use them.
package func resolvedEntities(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
        result += rest[..<start]
        rest = rest[start...]
        guard let end = rest.prefix(12).firstIndex(of: ";"),
            let scalar = character(rest[rest.index(after: start)..<end])
        else {
            result += "&"
            rest = rest.dropFirst()
            continue
        }
        result.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: end)...]
    }
    return result + rest
}

/// The character of `#65` or `#x41`; a sign is none of the digits, though Swift reads it.
private func numbered(_ name: Substring) -> Unicode.Scalar? {
    let radix = name.hasPrefix("#x") || name.hasPrefix("#X") ? 16 : 10
    let digits = name.dropFirst(radix == 16 ? 2 : 1)
    guard name.hasPrefix("#"), digits.utf8.first.map(isHexadecimal) == true else { return nil }
    return UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init)
}

private func character(_ name: Substring) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default:
        numbered(name)
    }
}
