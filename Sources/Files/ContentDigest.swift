import Cryptography

/// The SHA-256 of some bytes, in 32 bytes: a site has tens of thousands of them at a time.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    private let fourWords: (UInt64, UInt64, UInt64, UInt64)

    /// The digest of some bytes.
    package init(of bytes: some Collection<UInt8>) { self.init(sha256: digest(of: bytes)) }

    /// A digest in its 32 bytes.
    init(sha256 digest: [UInt8]) {
        func word(_ number: Int) -> UInt64 {
            digest[number * 8..<number * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        fourWords = (word(0), word(1), word(2), word(3))
    }

    /// A digest of four words of eight bytes, the first byte the highest.
    init?(words: [UInt64]) {
        guard words.count == 4 else { return nil }
        fourWords = (words[0], words[1], words[2], words[3])
    }

    /// The same words.
    var words: [UInt64] { [fourWords.0, fourWords.1, fourWords.2, fourWords.3] }

    /// The digest that lower-case hexadecimal digits write; nil for any other text.
    package init?(hexadecimal text: ArraySlice<UInt8>) {
        guard text.count == 64 else { return nil }
        func word(_ number: Int) -> UInt64? {
            let begin = text.startIndex + number * 16
            var word: UInt64 = 0
            for digit in text[begin..<begin + 16] {
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    word = word << 4 | UInt64(digit - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"):
                    word = word << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            return word
        }
        guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3) else {
            return nil
        }
        fourWords = (first, second, third, fourth)
    }

    /// Its hexadecimal digits.
    package var description: String {
        var digits: [UInt8] = []
        appendDigits(to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    /// Appends its hexadecimal digits.
    package func appendDigits(to bytes: inout [UInt8]) {
        for word in [fourWords.0, fourWords.1, fourWords.2, fourWords.3] {
            for place in 1...16 {
                bytes.append(hexadecimalDigits[Int(word >> (64 - 4 * UInt64(place)) & 15)])
            }
        }
    }

    package static func == (one: ContentDigest, other: ContentDigest) -> Bool {
        one.fourWords == other.fourWords
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fourWords.0) }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
package func contentHash(_ bytes: some Collection<UInt8>) -> String {
    hexadecimal(digest(of: bytes))
}
