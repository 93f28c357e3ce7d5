import Diagnostics

/// Why a document is not well-formed by XML 1.0, and where; nil when it is, as far as a document without a type
/// declaration goes.
func xmlFault(_ bytes: [UInt8]) -> (what: String, line: Int)? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return ("it is not UTF-8 text", 1) }
    var reader = XMLReader(bytes: bytes)
    do throws(XMLFault) {
        try reader.document()
        return nil
    } catch {
        return (error.what, 1 + bytes[..<min(reader.position, bytes.count)].count { $0 == 0x0A })
    }
}

private struct XMLFault: Error { let what: String }

private struct XMLReader {
    let bytes: [UInt8]
    private(set) var position = 0
    private var open: [String] = []
    private var hasRoot = false

    init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func document() throws(XMLFault) {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"): try markup(isStart: position == start)
            case UInt8(ascii: "&"): try reference()
            default: try character()
            }
        }
        if let name = open.last { throw XMLFault(what: "<\(printable(name))> is never closed") }
        if !hasRoot { throw XMLFault(what: "there is no element") }
    }

    private mutating func character() throws(XMLFault) {
        let byte = bytes[position]
        if open.isEmpty, !isSpace(byte) { throw XMLFault(what: "text outside of the element") }
        if byte < 0x20, ![0x09, 0x0A, 0x0D].contains(byte) { throw XMLFault(what: "a control character") }
        if at("]]>") { throw XMLFault(what: "']]>' in a text") }
        position += 1
    }

    private mutating func markup(isStart: Bool) throws(XMLFault) {
        if at("<!--") {
            position += 4
            let end = try content(to: "--", of: "a comment")
            guard end < bytes.count, at(">") else { throw XMLFault(what: "'--' in a comment") }
            position += 1
        } else if at("<![CDATA[") {
            if open.isEmpty { throw XMLFault(what: "text outside of the element") }
            _ = try content(to: "]]>", of: "a CDATA section")
        } else if at("<?") {
            let isDeclaration = at("<?xml ")
            if isDeclaration, !isStart { throw XMLFault(what: "the XML declaration is not at the start") }
            _ = try content(to: "?>", of: "an instruction")
        } else if at("<!DOCTYPE") {
            throw XMLFault(what: "a document type declaration, which readers may refuse")
        } else if at("</") {
            try endTag()
        } else {
            try startTag()
        }
    }

    private mutating func content(to end: String, of what: String) throws(XMLFault) -> Int {
        while position < bytes.count, !at(end) { position += 1 }
        if position >= bytes.count { throw XMLFault(what: "\(what) is never closed") }
        position += end.utf8.count
        return position
    }

    private mutating func endTag() throws(XMLFault) {
        position += 2
        let name = try name()
        skipSpace()
        guard at(">") else { throw XMLFault(what: "</\(name) is not closed") }
        guard open.last == name else {
            throw XMLFault(what: "</\(name)> closes \(open.last.map { "<\($0)>" } ?? "nothing")")
        }
        open.removeLast()
        position += 1
    }

    private mutating func startTag() throws(XMLFault) {
        position += 1
        let name = try name()
        if open.isEmpty, hasRoot { throw XMLFault(what: "a second element <\(name)> beside the first") }
        hasRoot = true
        var seen: Set<String> = []
        while true {
            let hadSpace = skipSpace()
            if at("/>") {
                position += 2
                return
            }
            if at(">") {
                position += 1
                open.append(name)
                return
            }
            guard hadSpace else { throw XMLFault(what: "<\(name) is not closed") }
            try attribute(of: name, &seen)
        }
    }

    private mutating func attribute(of element: String, _ seen: inout Set<String>) throws(XMLFault) {
        let name = try name()
        if !seen.insert(name).inserted { throw XMLFault(what: "'\(name)' stands twice in <\(element)>") }
        skipSpace()
        guard at("=") else { throw XMLFault(what: "the attribute '\(name)' has no value") }
        position += 1
        skipSpace()
        guard position < bytes.count,
            let quote = [UInt8(ascii: "\""), UInt8(ascii: "'")].first(where: { $0 == bytes[position] })
        else { throw XMLFault(what: "the value of '\(name)' stands in no quotes") }
        position += 1
        while position < bytes.count, bytes[position] != quote {
            switch bytes[position] {
            case UInt8(ascii: "<"): throw XMLFault(what: "'<' in the value of '\(name)'")
            case UInt8(ascii: "&"): try reference()
            default: position += 1
            }
        }
        guard position < bytes.count else { throw XMLFault(what: "the value of '\(name)' never ends") }
        position += 1
    }

    /// `&amp;`, `&#39;`, `&#x27;`.
    private mutating func reference() throws(XMLFault) {
        let rest = bytes[position...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw XMLFault(what: "a bare '&'") }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        let number =
            name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
        let isKnown =
            ["amp", "lt", "gt", "quot", "apos"].contains(name)
            || (name.hasPrefix("#") && number.flatMap(Unicode.Scalar.init).map(isXML) == true)
        if !isKnown { throw XMLFault(what: "the reference '&\(printable(name));' is not known") }
        if open.isEmpty { throw XMLFault(what: "text outside of the element") }
        position = end + 1
    }

    private mutating func name() throws(XMLFault) -> String {
        let start = position
        while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
        let isName =
            position > start && !(0x30...0x39).contains(bytes[start]) && !"-.".utf8.contains(bytes[start])
        guard isName else { throw XMLFault(what: "a '<' that begins no tag, or a tag without a name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    private func at(_ text: String) -> Bool {
        guard position < bytes.count, bytes[position] == text.utf8.first else { return false }
        return bytes[position...].starts(with: text.utf8)
    }
}

private func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || "-._:".utf8.contains(byte)
}

private func isXML(_ scalar: Unicode.Scalar) -> Bool {
    [0x09, 0x0A, 0x0D].contains(scalar.value)
        || (scalar.value >= 0x20 && ![0xFFFE, 0xFFFF].contains(scalar.value))
}
