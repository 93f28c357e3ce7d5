import Foundation
import Testing

@testable import Providers

/// Texts broken at random, the same on every machine, which Foundation's decoder must read alike.
struct TapeDecoderMutationTests {
    private struct Wire: Decodable {
        var count: Int?
        var rate: Double?
        var name: String?
        var flag: Bool?
        var days: [Day]?

        struct Day: Decodable {
            var date: String
            var events: Int
        }
    }

    private static let whole = Array(
        #"{"count":120,"rate":-1.25e2,"name":"a \"b\" é😀","flag":true,"days":[{"date":"2026-11-19","events":7},{"date":"x","events":0}],"other":[null,{"deep":[]}]}"#
            .utf8)
    private static let pieces = Array(#"{}[]",:0123456789-+.eE\/ tfn"#.utf8)

    @Test(arguments: 1...8) func readsBrokenTextsAsFoundationDoes(seed: UInt64) {
        var random = Steps(state: seed)
        for _ in 0..<500 {
            check(Wire.self, Self.broken(Self.whole, &random))
        }
    }

    private static let snapshot = Array(
        #"{"format":"plimsoll-snapshot","version":1,"app":"a","capturedAt":"2026-11-20T06:00:00Z","source":{"name":"S","zone":null},"provides":["issues"],"health":[{"date":"2026-11-19","sessions":10,"crashedSessions":1}],"issues":[{"id":"i","title":"t","line":3,"firstSeen":"2026-11-01T00:00:00Z","days":[{"date":"2026-11-19","events":7,"release":"1.0"},{"date":"2026-11-18","events":0,"users":0}]}],"notes":[{"id":"n","at":"2026-11-19T10:00:00Z","text":"x"}],"coverage":[{"fact":"sessions","first":"2026-11-18","last":"2026-11-19","state":"complete"}]}"#
            .utf8)

    /// Rows are read without the containers of `Codable`, and with them where another decoder reads them.
    @Test(arguments: 1...8) func readsRowsAsFoundationDoes(seed: UInt64) {
        check(SnapshotFile.self, Self.snapshot)
        var random = Steps(state: seed)
        for _ in 0..<300 { check(SnapshotFile.self, Self.broken(Self.snapshot, &random)) }
    }

    private func check<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) {
        let ours = (try? JSONTape(bytes)).flatMap { try? Value(from: TapeDecoder(tape: $0, index: 0)) }
        let theirs = try? JSONDecoder().decode(Value.self, from: Data(bytes))
        // Foundation does not look at what is not requested; there it lets pass what is not JSON.
        let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
        #expect(
            String(describing: ours) == String(describing: theirs) || (ours == nil && !isJSON),
            "\(String(decoding: bytes, as: UTF8.self))")
    }

    /// The text with one to three bytes replaced, added or removed, sometimes cut off.
    private static func broken(_ whole: [UInt8], _ random: inout Steps) -> [UInt8] {
        var bytes = whole
        for _ in 0...random.below(3) {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[place] = pieces[random.below(pieces.count)]
            case 1: bytes.insert(pieces[random.below(pieces.count)], at: place)
            case 2: bytes.remove(at: place)
            default: if random.below(8) == 0 { bytes.removeSubrange(max(place, 1)...) }
            }
        }
        return bytes
    }
}

/// Knuth's linear congruential generator for 64 bits.
private struct Steps {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
