import Testing

@testable import Site

struct GappedTextTests {
    private static let marks = ["markone", "marktwo"].map { Array($0.utf8) }

    @Test(
        arguments: [
            ("", [], ""), ("no gap", [], "no gap"), ("markone", [0], "1"), ("marktwo", [1], "second"),
            ("a markone, b marktwo; markone.", [0, 1, 0], "a 1, b second; 1."),
            ("markonemarktwo", [0, 1], "1second"),
            ("mark markon marktw", [], "mark markon marktw"), ("mmarkone", [0], "m1"),
            ("ü–markone–", [0], "ü–1–"),
        ] as [(String, [Int], String)])
    func gapsAreFilled(marked: String, gaps: [Int], filled: String) throws {
        let text = GappedText(Array(marked.utf8), marks: Self.marks)
        #expect(text.gaps.map(\.text) == gaps && text.fits(2))
        #expect(String(decoding: text.filled(["1", "second"]), as: UTF8.self) == filled)
        let read = try ValueDecoder.value(GappedText.self, from: try ValueEncoder.bytes(of: text))
        #expect(read.filled(["", "–"]) == text.filled(["", "–"]))
        #expect(text.fits(1) == !gaps.contains(1) && text.fits(0) == gaps.isEmpty)
    }

    /// Gaps that no text made are not filled.
    @Test(arguments: [([4], false), ([3], true), ([2, 1], false), ([-1], false), ([0, 0, 3], true)])
    func gapsHaveToFit(offsets: [Int], fits: Bool) throws {
        struct Written: Encodable {
            struct Gap: Encodable {
                let offset: Int
                let text: Int
            }
            let bytes: [UInt8]
            let gaps: [Gap]
        }
        let written = Written(
            bytes: Array("abc".utf8), gaps: offsets.map { Written.Gap(offset: $0, text: 0) })
        let text = try ValueDecoder.value(GappedText.self, from: try ValueEncoder.bytes(of: written))
        #expect(text.fits(1) == fits)
    }
}
