import AppHealth
import Foundation
import Testing

@testable import Providers

/// Whatever the bytes are, the response is a value or a failure, never a trap.
struct DamagedInputTests {
    private let good: [UInt8]
    private let reader = SnapshotReader(
        app: app("sketchbook"), sourceID: Slug(anyText: "files"), document: "a.json")

    init() throws {
        let path = fixture("files/good/sketchbook-2026-11-20.json")
        good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// A fixed sequence of pseudo-random numbers (Knuth, MMIX).
    private struct Sequence {
        var state: UInt64 = 7
        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, limit)
        }
    }

    @Test func everyTruncationIsReportedAsOne() {
        // The last byte is a line break.
        for length in stride(from: 1, to: good.count - 1, by: 23) {
            let failure = #expect(throws: DecodingFailure.self) {
                try reader.snapshot(from: Array(good.prefix(length)))
            }
            guard case .notJSON(.truncated)? = failure?.problem else {
                Issue.record("\(length): \(String(describing: failure))")
                continue
            }
        }
    }

    @Test func changedBytesNeverTrap() {
        var random = Sequence()
        let signs = Array("{}[]\",:0-9eE.\\u\u{0}nt ".utf8) + [0xFF, 0xC3, 0x80]
        for _ in 0..<400 {
            var bytes = good
            for _ in 0...random.next(below: 4) {
                bytes[random.next(below: bytes.count)] = signs[random.next(below: signs.count)]
            }
            _ = try? reader.snapshot(from: bytes)
            _ = reader.envelope(of: bytes)
            _ = JSONScan.fault(in: bytes)
        }
    }

    @Test func anyBytesNeverTrap() {
        var random = Sequence()
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next(below: 256)) }
            _ = try? reader.snapshot(from: bytes)
            _ = JSONScan.fault(in: bytes)
            _ = nextLink(in: String(decoding: bytes, as: UTF8.self))
            _ = SnapshotFileName(String(decoding: bytes, as: UTF8.self)).time
        }
    }
}
