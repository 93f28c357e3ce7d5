import Analysis
import AppHealth
import Foundation
import HistoryFixtures
import Testing

@testable import Site

/// What a build keeps is read as it was written, in the same bytes each time.
struct ValueCodingTests {
    private struct Whole: Codable, Hashable {
        enum Choice: Codable, Hashable {
            case none
            case one(Int)
            case two(first: String?, second: [Double])
        }

        enum Word: String, Codable, Hashable, CaseIterable { case tide, ebb, slack }

        struct Inner: Codable, Hashable {
            var flag: Bool
            var flags: [Bool?]
        }

        var number: Int
        var small: UInt8
        var large: UInt64
        var rate: Double
        var text: String
        var missing: String?
        var inner: Inner?
        var list: [Int?]
        var nested: [[String]]
        var words: Set<Word>
        var byText: [String: Inner]
        var byNumber: [Int: String]
        var byWord: [Word: [Choice]]
        var choices: [Choice]
        var span: ClosedRange<Int>
    }

    private static let whole = Whole(
        number: -7, small: 255, large: .max, rate: -0.1, text: "Flut \u{0} 🌊", missing: nil,
        inner: .init(flag: true, flags: [true, nil, false]), list: [1, nil, .min, .max],
        nested: [[], ["a", ""]], words: [.ebb, .tide],
        byText: ["b": .init(flag: false, flags: []), "a": .init(flag: true, flags: [nil])],
        byNumber: [3: "c", -1: "z"], byWord: [.slack: [.none, .one(4)], .tide: []],
        choices: [.none, .one(-1), .two(first: nil, second: [.infinity]), .two(first: "x", second: [])],
        span: -3...12)

    @Test func readsWhatWasWritten() throws {
        let bytes = try ValueEncoder.bytes(of: Self.whole)
        #expect(try ValueDecoder.value(Whole.self, from: bytes) == Self.whole)
    }

    @Test func equalValuesHaveEqualBytes() throws {
        let words = (0..<40).map { "word-\($0)" }
        let one = Dictionary(uniqueKeysWithValues: words.map { ($0, Set(words)) })
        var other: [String: Set<String>] = [:]
        other.reserveCapacity(1_000)
        for word in words.reversed() { other[word] = Set(words.reversed()) }
        #expect(try ValueEncoder.bytes(of: one) == ValueEncoder.bytes(of: other))
    }

    @Test func brokenBytesAreAnErrorAndNeverATrap() throws {
        let bytes = try ValueEncoder.bytes(of: Self.whole)
        for count in bytes.indices {
            #expect(throws: (any Error).self) {
                try ValueDecoder.value(Whole.self, from: Array(bytes.prefix(count)))
            }
        }
        for place in bytes.indices {
            for flip: UInt8 in [1, 0x80, 0xFF] {
                var broken = bytes
                broken[place] ^= flip
                _ = try? ValueDecoder.value(Whole.self, from: broken)
            }
        }
    }
}
