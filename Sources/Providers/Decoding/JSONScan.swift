import Diagnostics

/// One pass over the bytes of a JSON text: its tokens, or where it stops being JSON.
///
/// It makes no values and does not look into texts and numbers; that is done where they are requested. The stack of
/// open lists and objects lies in the tokens, so no depth of nesting can exhaust the machine's.
struct JSONScan {
    enum Fault: Error {
        case truncated
        case syntax
        case tooDeep
        case tooMany
    }

    /// Deeper texts are refused, unless the scan is made for them.
    static let deepest = 512

    /// More tokens are refused, as each takes 24 bytes whatever the text has of it: two bytes may be one. The densest
    /// snapshot file of the largest size has five million.
    static let mostTokens = 8_000_000

    let bytes: [UInt8]
    private(set) var offset = 0
    /// All tokens in their order; those of a list or an object follow it, each key before its value.
    private(set) var tokens: [JSONToken] = []
    /// The innermost list or object that is open, when the depth is not zero.
    private var open = 0
    private var depth = 0
    /// Whether nothing of the innermost one was scanned yet.
    private var isNew = false
    private let deepest: Int
    private let mostTokens: Int

    init(_ bytes: [UInt8], deepest: Int = Self.deepest, mostTokens: Int = Self.mostTokens) {
        self.bytes = bytes
        self.deepest = deepest
        self.mostTokens = mostTokens
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }
}

// MARK: Grammar

extension JSONScan {
    /// Scans the whole text.
    mutating func document() throws(Fault) {
        // No response is admitted that is nearly as long.
        guard bytes.count < UInt32.max else { throw .syntax }
        tokens.reserveCapacity(min(likelyTokens, mostTokens))
        try value()
        while depth > 0 { try rest() }
        skipBlanks()
        if offset < bytes.count { throw .syntax }
    }

    /// No fewer than there are, and in texts without these signs exactly as many: a list of tokens that grows is there
    /// twice for a moment, and half of it stays empty.
    private var likelyTokens: Int {
        1
            + bytes.count { byte in
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[")
                    || byte == UInt8(ascii: "{")
            }
    }

    /// One scalar, or the opening of a list or an object.
    private mutating func value() throws(Fault) {
        switch try peek() {
        case UInt8(ascii: "["): try open(.list)
        case UInt8(ascii: "{"): try open(.object)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true", .yes)
        case UInt8(ascii: "f"): try word("false", .no)
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw .syntax
        }
    }

    private mutating func open(_ kind: JSONToken.Kind) throws(Fault) {
        guard depth < deepest else { throw .tooDeep }
        let index = tokens.count
        try add(kind, from: offset, to: 0)
        offset += 1
        depth += 1
        open = index
        isNew = true
    }

    /// What follows the opening or an element: the first or the next one, or the end of the list or the object.
    private mutating func rest() throws(Fault) {
        let byte = try peek()
        let isFirst = isNew
        isNew = false
        if byte == Self.end(of: tokens[open].kind) {
            offset += 1
            depth -= 1
            tokens[open].next = UInt32(tokens.count)
            open = Int(tokens[open].parent)
            return
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else { throw .syntax }
            offset += 1
            // A comma too many, as people leave behind, is passed over as Foundation's decoder does.
            if try peek() == Self.end(of: tokens[open].kind) { return }
        }
        try element()
    }

    private mutating func element() throws(Fault) {
        if tokens[open].kind == .object { try key() }
        try value()
    }

    private mutating func key() throws(Fault) {
        guard try peek() == UInt8(ascii: "\"") else { throw .syntax }
        let start = offset
        try string()
        // Texts are looked into where they are requested; whether a key is requested is known by its text alone.
        guard let key = tokens.last, key.isPlain || isText(key) else {
            offset = start
            throw .syntax
        }
        // The value counts as the element.
        tokens[open].end -= 1
        guard try peek() == UInt8(ascii: ":") else { throw .syntax }
        offset += 1
    }

    private func isText(_ token: JSONToken) -> Bool {
        bytes[token.range].withUnsafeBufferPointer { unescapedJSON($0) != nil }
    }

    private static func end(of kind: JSONToken.Kind) -> UInt8 {
        kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
    }

    private mutating func add(
        _ kind: JSONToken.Kind, from start: Int, to end: Int, isPlain: Bool = true
    ) throws(Fault) {
        guard tokens.count < mostTokens else {
            offset = start
            throw .tooMany
        }
        var token = JSONToken(
            kind: kind, isPlain: isPlain, start: UInt32(start), end: UInt32(end),
            next: UInt32(tokens.count + 1), parent: UInt32(open))
        if depth > 0 {
            token.place = tokens[open].end
            tokens[open].end += 1
        }
        tokens.append(token)
    }
}

// MARK: Tokens

extension JSONScan {
    /// Whether the byte is white space between tokens (RFC 8259 §2).
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The next byte that is not blank.
    private mutating func peek() throws(Fault) -> UInt8 {
        skipBlanks()
        guard offset < bytes.count else { throw .truncated }
        return bytes[offset]
    }

    private mutating func skipBlanks() {
        while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
    }

    private mutating func string() throws(Fault) {
        let start = offset + 1
        var (end, isPlain) = (start, true)
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            let isEscape = bytes[end] == UInt8(ascii: "\\")
            if isEscape || bytes[end] < 0x20 { isPlain = false }
            end += isEscape ? 2 : 1
        }
        guard end < bytes.count else { throw .truncated }
        try add(.text, from: start, to: end, isPlain: isPlain)
        offset = end + 1
    }

    private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(Fault) {
        let end = min(offset + word.utf8CodeUnitCount, bytes.count)
        let isBegun = word.withUTF8Buffer { bytes[offset..<end].elementsEqual($0.prefix(end - offset)) }
        guard isBegun else { throw .syntax }
        guard end == offset + word.utf8CodeUnitCount else { throw .truncated }
        try add(kind, from: offset, to: end)
        offset = end
    }

    private mutating func number() throws(Fault) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let first = offset
        while offset < bytes.count, isPartOfNumber(bytes[offset]) { offset += 1 }
        if offset == bytes.count, depth > 0 { throw .truncated }
        guard first < offset, isDigit(bytes[first]), isDigit(bytes[offset - 1]) else {
            offset = start
            throw .syntax
        }
        try add(.number, from: start, to: offset)
    }
}

/// Whether the byte is `0` to `9`.
func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
        UInt8(ascii: "-"):
        true
    default: isDigit(byte)
    }
}

extension JSONScan {
    /// What keeps the bytes from being JSON, or nil.
    static func fault(in bytes: [UInt8], mostTokens: Int = Self.mostTokens) -> JSONSyntaxError? {
        if let early = beforeParsing(bytes) { return early }
        var scan = JSONScan(bytes, mostTokens: mostTokens)
        do {
            try scan.document()
            return nil
        } catch {
            return scan.describe(error)
        }
    }

    private static func beforeParsing(_ bytes: [UInt8]) -> JSONSyntaxError? {
        guard let first = bytes.firstIndex(where: { !JSONScan.isBlank($0) }) else { return .empty }
        if bytes[first] == UInt8(ascii: "<") { return .html }
        if let offset = firstInvalidUTF8(bytes) {
            return .notUTF8(at: TextPosition(offset: offset, in: bytes))
        }
        return nil
    }

    private func describe(_ fault: Fault) -> JSONSyntaxError {
        let position = TextPosition(offset: offset, in: bytes)
        switch fault {
        case .truncated: return .truncated(at: TextPosition(offset: bytes.count, in: bytes))
        case .tooDeep: return .tooDeep(limit: Self.deepest, at: position)
        case .tooMany: return .tooMany(limit: mostTokens, at: position)
        case .syntax:
            let rest = bytes[min(offset, bytes.count)...].prefix(80).prefix { $0 != UInt8(ascii: "\n") }
            return .syntax(found: quoted(String(decoding: rest, as: UTF8.self), limit: 20), at: position)
        }
    }
}

/// The offset of the first byte at which the bytes stop being UTF-8, or nil.
private func firstInvalidUTF8(_ bytes: [UInt8]) -> Int? {
    var iterator = bytes.makeIterator()
    var codec = UTF8()
    var offset = 0
    while true {
        switch codec.decode(&iterator) {
        case .scalarValue(let scalar): offset += UTF8.width(scalar)
        case .emptyInput: return nil
        case .error: return offset
        }
    }
}
