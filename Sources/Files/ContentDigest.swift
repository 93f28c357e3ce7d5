import Cryptography

/// The SHA-256 of some bytes, in 32 bytes: a site has tens of thousands of them at a time.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest of some bytes.
    package init(of bytes: some Collection<UInt8>) {
        let digest = digest(of: bytes)
        func word(_ number: Int) -> UInt64 {
            digest[number * 8..<number * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

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
        words = (first, second, third, fourth)
    }

    /// Its hexadecimal digits.
    package var description: String {
        hexadecimal(
            [words.0, words.1, words.2, words.3].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
            })
    }

    package static func == (one: ContentDigest, other: ContentDigest) -> Bool { one.words == other.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
