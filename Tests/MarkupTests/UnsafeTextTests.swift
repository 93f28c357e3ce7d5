import Diagnostics
import Testing

@testable import Markup

/// What no output holds, over all of Unicode.
struct UnsafeTextTests {
    private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

    /// Format characters that texts need: they join and part letters, stand before numbers, spell flags, or break lines.
    private static let needed: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2,
        0x180E...0x180E, 0x200B...0x200D, 0x2060...0x2064, 0x110BD...0x110BD, 0x110CD...0x110CD,
        0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0020...0xE007F,
    ]

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if scalar == "\t" || scalar == "\n" { return false }
        if properties.generalCategory == .control || properties.isNoncharacterCodePoint { return true }
        guard properties.generalCategory == .format else { return false }
        return !needed.contains { $0.contains(scalar.value) }
    }

    @Test func controlsDirectionsAndNoncharactersAreUnsafe() {
        let wrong = Self.scalars.filter { $0.isUnsafe != Self.isUnsafe($0) }
        #expect(wrong.map { String($0.value, radix: 16) } == [])
        let directions = Self.scalars.filter { $0.properties.isBidiControl && !$0.isUnsafe }
        #expect(directions.isEmpty)
    }

    @Test func whiteSpaceIsThatOfUnicode() {
        let wrong = Self.scalars.filter { scalar in
            let bytes = Array(String(scalar).utf8)
            let length = bytes.withUnsafeBufferPointer { whiteSpaceLength($0, at: 0) }
            return length != (scalar.properties.isWhitespace ? bytes.count : 0)
        }
        #expect(wrong.map { String($0.value, radix: 16) } == [])
    }

    @Test(arguments: [
        ("a  b\n\nc", "a b c"), ("a \u{2003}\u{A0}b", "a b"), ("\u{3000}a—b\u{2028}", "a—b"),
        ("é \u{85}ß", "é ß"),
        ("", ""), ("\u{2003}", ""),
    ]) func whiteSpaceIsOneSpace(text: String, words: String) {
        #expect(plainText(fromCommonMark: text) == words)
    }

    /// Many at once: a text of single letters between them stays, and so does every other scalar.
    @Test(arguments: OutputLanguage.allCases) func noLanguageWritesOne(language: OutputLanguage) {
        for start in stride(from: 0, to: Self.scalars.count, by: 4096) {
            let piece = Self.scalars[start..<min(start + 4096, Self.scalars.count)]
            var text = String.UnicodeScalarView()
            for scalar in piece { text.append(contentsOf: [scalar, "a"]) }
            var writer = ByteWriter()
            writer.append(String(text), escapedFor: language)
            let written = Set(writer.text.unicodeScalars)
            let unsafe = written.filter(\.isUnsafe)
            #expect(unsafe.isEmpty, "\(language) writes \(unsafe.map { String($0.value, radix: 16) })")
            guard piece.first?.isASCII == false || language == .plain else { continue }
            let lost = piece.filter { !$0.isUnsafe && !written.contains($0) && !$0.isASCII }
            #expect(lost.isEmpty, "\(language) drops \(lost.map { String($0.value, radix: 16) })")
        }
    }

    @Test func oneAtTheEndOrTwiceIsNoneEither() {
        for scalar in Self.scalars where scalar.isUnsafe && scalar != "\0" {
            for text in ["\(scalar)", "a\(scalar)", "\(scalar)\(scalar)", "\(scalar)a"] {
                var writer = ByteWriter()
                writer.append(text, escapedFor: .html)
                #expect(writer.text == text.unicodeScalars.filter { $0 == "a" }.map(String.init).joined())
            }
        }
    }

    @Test(arguments: [
        ("a \u{1B}[31mb\u{202E}c", "<p>a [31mbc</p>\n"), ("&#x1b;[2J &#x202e;x", "<p>[2J x</p>\n"),
        ("a&#x9b;31m", "<p>a31m</p>\n"), ("\u{FEFF}a", "<p>a</p>\n"), ("`\u{7}a`", "<p><code>a</code></p>\n"),
    ])
    func contentAndNotesHoldNone(text: String, expected: String) {
        #expect(html(fromCommonMark: text, options: .init(anchors: false)).text == expected)
    }

    @Test func terminalsAndJSONShowThemInDigits() {
        #expect(
            printable("a\u{9B}31m\u{202E}\u{61C}\u{1B}\tb") == "a\\u{9b}31m\\u{202e}\\u{61c}\\u{1b}\\u{9}b")
        #expect(
            jsonSafe("{\"a\":\"\u{9B}\u{202E}\u{E0001}é\"}\n")
                == "{\"a\":\"\\u009b\\u202e\\udb40\\udc01é\"}\n")
        #expect(withoutUnsafe("a\u{202E}b\n") == "ab\n")
    }
}
