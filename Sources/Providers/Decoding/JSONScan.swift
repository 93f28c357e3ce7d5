import Diagnostics

/// One pass over the bytes of a JSON text: where it stops being JSON, which keys stand twice or are unknown.
///
/// It makes no values; the decoder does. It tells the line and the column, which the decoder keeps to itself.
/// Its stack is a list, so no depth of nesting can exhaust the machine's.
struct JSONScan {
    enum Fault: Error {
        case truncated
        case syntax
        case tooDeep
    }

    private struct Level {
        var isObject: Bool
        var shape: KeyShape
    }

    /// Deeper texts are refused.
    static let deepest = 512

    let bytes: [UInt8]
    private(set) var offset = 0
    private(set) var odd: [OddKey] = []
    private var levels: [Level] = []
    private var keys: KeyStack
    private var next: KeyShape

    /// A scan that compares the keys with those of the shape.
    init(_ bytes: [UInt8], shape: KeyShape = .any) {
        self.bytes = bytes
        keys = KeyStack(bytes)
        next = shape
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }
}

// MARK: Grammar

extension JSONScan {
    /// Scans the whole text.
    mutating func document() throws(Fault) {
        try value()
        while let isObject = levels.last?.isObject { try rest(isObject: isObject) }
        skipBlanks()
        if offset < bytes.count { throw .syntax }
    }

    /// One scalar, or the opening of a list or an object.
    private mutating func value() throws(Fault) {
        switch try peek() {
        case UInt8(ascii: "["): try open(isObject: false)
        case UInt8(ascii: "{"): try open(isObject: true)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw .syntax
        }
    }

    private mutating func open(isObject: Bool) throws(Fault) {
        guard levels.count < Self.deepest else { throw .tooDeep }
        offset += 1
        levels.append(Level(isObject: isObject, shape: next))
        keys.open()
        guard try peek() != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return }
        try element()
    }

    /// What follows an element: a comma and the next one, or the end of the level.
    private mutating func rest(isObject: Bool) throws(Fault) {
        let byte = try peek()
        if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            offset += 1
            levels.removeLast()
            keys.close()
            return
        }
        guard byte == UInt8(ascii: ",") else { throw .syntax }
        offset += 1
        try element()
    }

    private mutating func element() throws(Fault) {
        if levels.last?.isObject == true { try key() } else { next = levels.last?.shape.element ?? .any }
        try value()
    }

    private mutating func key() throws(Fault) {
        guard try peek() == UInt8(ascii: "\"") else { throw .syntax }
        let range = try string()
        note(key: range)
        guard try peek() == UInt8(ascii: ":") else { throw .syntax }
        offset += 1
    }
}

// MARK: Keys

extension JSONScan {
    private mutating func note(key range: Range<Int>) {
        let isNew = keys.insert(range)
        next = .any
        if case .object(let known)? = levels.last?.shape {
            let name = String(decoding: bytes[range], as: UTF8.self)
            if let shape = known[name] {
                next = shape
            } else if isNew, !countAgain({ $0 != .repeated }, name) {
                // The nearest name is costly and is looked for once.
                add(
                    .unknown(nearest: nearestName(to: String(name.prefix(60)), among: known.keys)), name,
                    at: range)
            }
        }
        guard !isNew else { return }
        let name = String(decoding: bytes[range], as: UTF8.self)
        if !countAgain({ $0 == .repeated }, name) { add(.repeated, name, at: range) }
    }

    private mutating func countAgain(_ isKind: (OddKey.Kind) -> Bool, _ name: String) -> Bool {
        guard let index = odd.firstIndex(where: { isKind($0.kind) && $0.name == name }) else {
            return odd.count == OddKey.most
        }
        odd[index].times += 1
        return true
    }

    private mutating func add(_ kind: OddKey.Kind, _ name: String, at range: Range<Int>) {
        odd.append(OddKey(kind: kind, name: name, offset: range.lowerBound - 1))
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

    /// Skips a string and answers where its content lies.
    private mutating func string() throws(Fault) -> Range<Int> {
        var end = offset + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count else { throw .truncated }
        defer { offset = end + 1 }
        return offset + 1..<end
    }

    private mutating func word(_ word: String) throws(Fault) {
        let rest = bytes[offset...].prefix(word.utf8.count)
        guard word.utf8.starts(with: rest) else { throw .syntax }
        guard rest.count == word.utf8.count else { throw .truncated }
        offset += rest.count
    }

    private mutating func number() throws(Fault) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let first = offset
        while offset < bytes.count, isPartOfNumber(bytes[offset]) { offset += 1 }
        if offset == bytes.count, !levels.isEmpty { throw .truncated }
        guard first < offset, isDigit(bytes[first]), isDigit(bytes[offset - 1]) else {
            offset = start
            throw .syntax
        }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: isDigit(byte)
    }
}
