/// A set of bytes, tested without a table: two words for ASCII, everything else by its lead byte.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The C0 controls and DEL, and the lead bytes of what is dropped from every text, and these characters.
    init(controlsAnd characters: StaticString, sparing spared: [UInt8] = []) {
        for byte in UInt8(0)..<0x20 where !spared.contains(byte) { insert(byte) }
        insert(0x7F)
        characters.withUTF8Buffer { unsafe $0.forEach { insert($0) } }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 &<< UInt64(byte) } else if byte < 128 { high |= 1 &<< UInt64(byte - 64) }
    }

    /// Whether the byte needs a look: a member, or E2 or EF, which lead the code points that are dropped.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return (low &>> UInt64(byte)) & 1 != 0 }
        if byte < 128 { return (high &>> UInt64(byte & 63)) & 1 != 0 }
        return byte == 0xE2 || byte == 0xEF
    }
}
