import Foundation
import Testing

@testable import Providers

/// Texts broken at random, the same on every machine, which Foundation's decoder must read alike.
struct TapeDecoderMutationTests {
    private struct Wire: Decodable, Equatable {
        var count: Int?
        var rate: Double?
        var name: String?
        var flag: Bool?
        var days: [Day]?

        struct Day: Decodable, Equatable {
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
            let bytes = Self.broken(&random)
            let ours = (try? JSONTape(bytes)).flatMap { try? Wire(from: TapeDecoder(tape: $0, index: 0)) }
            let theirs = try? JSONDecoder().decode(Wire.self, from: Data(bytes))
            // Foundation does not look at what is not requested; there it lets pass what is not JSON.
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
            #expect(
                ours == theirs || (ours == nil && !isJSON), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// The text with one to three bytes replaced, added or removed, sometimes cut off.
    private static func broken(_ random: inout Steps) -> [UInt8] {
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
