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
    init(_ bytes: [UInt8]) throws(JSONScan.Fault) {
        var scan = JSONScan(bytes)
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
        return key.withUTF8 { wanted in
            var index = object + 1
            let end = Int(tokens[object].next)
            while index < end {
                if isText(index, wanted) { return index + 1 }
                index = Int(tokens[index + 1].next)
            }
            return nil
        }
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
        // From 2⁵³ on one Double stands for several whole numbers.
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
    private func isNumber(_ range: Range<Int>) -> Bool {
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
