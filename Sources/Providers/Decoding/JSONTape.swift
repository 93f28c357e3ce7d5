import Foundation

/// A JSON text that was scanned once: its bytes, its tokens, and what is lost while values are made from it.
///
/// A value is named by the number of its token; that of the whole is 0.
final class JSONTape {
    /// The text in UTF-8.
    let bytes: [UInt8]
    let tokens: [JSONToken]
    let log = LossLog(limit: SkippedValues.most)

    /// Scans UTF-8.
    ///
    /// - Parameter deepest: How deep the text may nest; only what is read without recursion may be deeper than usual.
    init(_ bytes: [UInt8], deepest: Int = JSONScan.deepest) throws(JSONScan.Fault) {
        var scan = JSONScan(bytes, deepest: deepest)
        try scan.document()
        self.bytes = bytes
        tokens = scan.tokens
    }

    /// The way from the whole to a value.
    func path(_ index: Int) -> [any CodingKey] {
        var path: [AnyKey] = []
        var index = index
        while index > 0 {
            let (parent, place) = (Int(tokens[index].parent), Int(tokens[index].place))
            if tokens[parent].kind == .object {
                path.append(AnyKey(stringValue: text(index - 1) ?? "\u{FFFD}", intValue: nil))
            } else {
                path.append(AnyKey(stringValue: String(place), intValue: place))
            }
            index = parent
        }
        return path.reversed()
    }
}

// MARK: Members

extension JSONTape {
    /// The value that an object has for a key; of two with the same key the first.
    func member(_ key: String, of object: Int) -> Int? {
        var key = key
        return key.withUTF8 { member($0, of: object) }
    }

    /// The same for a key in UTF-8.
    func member(_ key: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
        var index = object + 1
        let end = Int(tokens[object].next)
        while index < end {
            if isText(index, key) { return index + 1 }
            index = Int(tokens[index + 1].next)
        }
        return nil
    }

    private func isText(_ index: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = tokens[index]
        guard token.isPlain else { return text(index)?.utf8.elementsEqual(wanted) == true }
        let start = Int(token.start)
        guard Int(token.end) - start == wanted.count else { return false }
        for offset in wanted.indices where bytes[start + offset] != wanted[offset] { return false }
        return true
    }

    /// The members of an object in their order: the token of each key with that of its value.
    func members(of object: Int) -> some Sequence<(key: Int, value: Int)> {
        sequence(state: object + 1) { [self] index in
            guard index < Int(tokens[object].next) else { return nil }
            defer { index = Int(tokens[index + 1].next) }
            return (index, index + 1)
        }
    }
}

// MARK: Texts

extension JSONTape {
    /// The text or the key; nil when it is not UTF-8, has a control character or an escape that means nothing.
    func text(_ index: Int) -> String? {
        let token = tokens[index]
        return bytes.withUnsafeBufferPointer { bytes in
            let part = UnsafeBufferPointer(rebasing: bytes[token.range])
            return token.isPlain ? String(validating: part, as: UTF8.self) : unescapedJSON(part)
        }
    }
}

extension JSONTape {
    /// The whole number of a token, `12` or `12.0` or `1.2e1`; nil when it is no number, none of these or does not fit.
    func whole<Number: FixedWidthInteger>(_ index: Int, as type: Number.Type) -> Number? {
        guard tokens[index].kind == .number else { return nil }
        let range = tokens[index].range
        if let short = decimal(range) { return Number(exactly: short) }
        guard isNumber(range) else { return nil }
        let text = String(decoding: bytes[range], as: UTF8.self)
        if let number = Number(text) { return number }
        // From 2⁵³ on one Double is for several whole numbers.
        guard let double = Double(text), double.magnitude < 0x1p53 else { return nil }
        return Number(exactly: double)
    }

    /// The number of a token; nil when it is none or does not fit.
    func double(_ index: Int) -> Double? {
        guard tokens[index].kind == .number, isNumber(tokens[index].range) else { return nil }
        let number = Double(String(decoding: bytes[tokens[index].range], as: UTF8.self))
        return number?.isFinite == true ? number : nil
    }

    /// The number of at most 18 digits without sign and without a zero in front, as nearly every count is.
    private func decimal(_ range: Range<Int>) -> Int? {
        guard range.count <= 18, bytes[range.lowerBound] != UInt8(ascii: "0") || range.count == 1 else {
            return nil
        }
        var value = 0
        for byte in bytes[range] {
            guard isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    /// Whether the bytes are a number as RFC 8259 §6 writes it; the scan admits more.
    func isNumber(_ range: Range<Int>) -> Bool {
        var rest = bytes[range]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = digits(&rest)
        guard !whole.isEmpty, whole.first != UInt8(ascii: "0") || whole.count == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard !digits(&rest).isEmpty else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            guard !digits(&rest).isEmpty else { return false }
        }
        return rest.isEmpty
    }

    private func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return digits
    }
}

/// One value or one key of a JSON text: where it lies among the bytes and among the other tokens.
///
/// Numbers have 32 bits, for a text has many tokens; longer texts are refused by the scan.
struct JSONToken: Sendable {
    enum Kind: UInt8 {
        case null, yes, no, number, text, list, object
    }

    var kind: Kind
    /// A text whose bytes are its characters: without an escape and without a control character.
    var isPlain = true
    /// The first byte; of a text the one after its quotation mark.
    var start: UInt32
    /// The byte after the last, before the quotation mark; of a list or an object the number of its elements.
    var end: UInt32 = 0
    /// The token that follows this one and all that is in it.
    var next: UInt32
    /// The list or the object in which this one lies; its own number for the whole.
    var parent: UInt32
    /// Its place among the elements of the parent; a key has that of its value.
    var place: UInt32 = 0

    /// The bytes of a scalar or a key.
    var range: Range<Int> { Int(start)..<Int(end) }
    /// How many elements a list or members an object has.
    var count: Int { Int(end) }
}

/// The text between two quotation marks of JSON, its escapes resolved (RFC 8259 §7); nil when it is not UTF-8, has a
/// control character or an escape that means nothing.
func unescapedJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        if byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { return nil }
            result.append(byte)
        } else if offset < bytes.count, bytes[offset] == UInt8(ascii: "u") {
            guard let scalar = scalar(bytes, &offset) else { return nil }
            result.append(contentsOf: Character(scalar).utf8)
        } else {
            guard offset < bytes.count, let meant = meaning(of: bytes[offset]) else { return nil }
            result.append(meant)
            offset += 1
        }
    }
    return String(validating: result, as: UTF8.self)
}

private func meaning(of escaped: UInt8) -> UInt8? {
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escaped
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
}

/// The scalar of `u0041`, or of two such that are halves of one; the offset is at the first letter u.
private func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> Unicode.Scalar? {
    guard let lead = unit(bytes, &offset) else { return nil }
    guard UTF16.isLeadSurrogate(lead) else { return Unicode.Scalar(lead) }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\\") else { return nil }
    offset += 1
    guard let trail = unit(bytes, &offset), UTF16.isTrailSurrogate(trail) else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF)))
}

/// The number of `u0041`.
private func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> UInt16? {
    guard offset + 5 <= bytes.count, bytes[offset] == UInt8(ascii: "u") else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[offset + 1..<offset + 5] {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
        unit = unit << 4 | UInt16(digit)
    }
    offset += 5
    return unit
}

/// The bytes of a text as UTF-8: programs for Windows write files in UTF-16, which JSON once admitted (RFC 4627 §3).
func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard let encoding = wideEncoding(bytes.prefix(4)) else { return bytes }
    return String(bytes: bytes, encoding: encoding).map { Array($0.utf8) } ?? bytes
}

/// The encoding of more than one byte a character that the first bytes show; the first character of JSON is in ASCII.
private func wideEncoding(_ first: ArraySlice<UInt8>) -> String.Encoding? {
    guard first.count >= 2, first.contains(where: { $0 == 0 || $0 == 0xFE || $0 == 0xFF }) else {
        return nil
    }
    if first.starts(with: [0xFE, 0xFF]) { return .utf16 }
    switch first.map({ $0 == 0 }) {
    case [true, true, true, false], [true, true, false, false]: return .utf32
    case [false, true, true, true]: return .utf32LittleEndian
    case [false, false, true, true]: return .utf32
    case [true, false, true, false]: return .utf16BigEndian
    case [false, true, false, true]: return .utf16LittleEndian
    default: return first.starts(with: [0xFF, 0xFE]) ? .utf16 : nil
    }
}
