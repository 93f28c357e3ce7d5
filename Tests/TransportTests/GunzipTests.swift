import LoopbackServer
import Testing

@testable import Transport

struct GunzipTests {
    private let plain = Array("{\"days\": [1, 2, 3], \"text\": \"\u{FC}ber\"}".utf8)

    /// What comes out when the bytes come in pieces of this size; nil for the outcome when all were taken.
    private func check(
        _ bytes: [UInt8], pieces: Int, _ expected: (body: [UInt8], kind: TransportError.Kind?),
        limit: Int = 1 << 20, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var receiver = BodyReceiver(limit: limit)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let isTaken = bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes {
                receiver.take($0, coding: "GZIP")
            }
            guard isTaken else { break }
        }
        #expect(
            (receiver.refusal ?? receiver.shortage)?.kind == expected.kind, sourceLocation: sourceLocation)
        #expect(receiver.bytes == expected.body, sourceLocation: sourceLocation)
    }

    @Test(arguments: [1, 2, 7, 1000])
    func decompressesInPiecesOfAnySize(pieces: Int) {
        check(gzipped(plain), pieces: pieces, (plain, nil))
        check(gzipped([]), pieces: pieces, ([], nil))
        check(gzipped(plain) + gzipped(plain), pieces: pieces, (plain + plain, nil))
        check([], pieces: pieces, ([], nil))
    }

    @Test func noticesACutAtEveryByte() {
        let whole = gzipped(plain)
        for count in 1..<whole.count {
            var receiver = BodyReceiver(limit: 1000)
            _ = whole.prefix(count).withUnsafeBytes { receiver.take($0, coding: "gzip") }
            #expect(receiver.shortage?.kind == .truncated, "cut after \(count)")
        }
    }

    @Test func noticesDamageAtEveryByte() {
        let whole = gzipped(plain)
        // Time, extra flags and system (bytes 4…9) and the padding of the block's head say nothing of the content.
        for index in whole.indices where !(4...10).contains(index) {
            var damaged = whole
            damaged[index] ^= 0x40
            var receiver = BodyReceiver(limit: 1000)
            let isTaken = damaged.withUnsafeBytes { receiver.take($0, coding: "gzip") }
            #expect(!isTaken || receiver.shortage != nil, "byte \(index)")
        }
    }

    @Test func refusesWhatFollowsTheStream() {
        check(gzipped(plain) + Array("rest".utf8), pieces: 1000, (plain, .encoding))
    }

    @Test func stopsAtTheLimit() {
        let large = [UInt8](repeating: 7, count: 200_000)
        check(gzipped(large), pieces: 5000, (large, nil))
        var receiver = BodyReceiver(limit: 100_000)
        let isTaken = gzipped(large).withUnsafeBytes { receiver.take($0, coding: "gzip") }
        #expect(!isTaken && receiver.refusal?.kind == .tooLarge && receiver.bytes.count <= 100_000)
    }

    @Test(arguments: [
        (nil, true), ("", true), ("identity", true), ("x-gzip", false), ("br", false), ("gzip, gzip", false),
        ("deflate", false), ("zstd", false),
    ])
    func takesOtherCodingsAsTheyAreOrNotAtAll(coding: String?, isPlain: Bool) {
        var receiver = BodyReceiver(limit: 1000)
        let isTaken = plain.withUnsafeBytes { receiver.take($0, coding: coding) }
        #expect(isTaken == isPlain && receiver.bytes == (isPlain ? plain : []))
        #expect(receiver.refusal?.kind == (isPlain ? nil : .encoding))
    }

    private static let text = [UInt8]("Date\tSessions\n".utf8)
    private static let large = [UInt8](repeating: 7, count: 3 << 20)

    /// A file that is gzip itself: its body, the most bytes, and what comes of it.
    @Test(
        arguments: [
            (gzipped(text), 100, nil), (gzipped([]), 0, nil), (gzipped(large), 3 << 20, nil),
            (gzipped(text) + gzipped(large), 4 << 20, nil), ([], 100, nil),
            (gzipped(large), 3 << 20 - 1, .tooLarge), (Array(gzipped(text).dropLast()), 100, .truncated),
            (Array(gzipped(large).prefix(1 << 20)), 4 << 20, .truncated), (text, 100, .encoding),
            (Array(gzipped(text).dropLast(8)) + [1, 2, 3, 4, 5, 6, 7, 8], 100, .encoding),
        ] as [([UInt8], Int, TransportError.Kind?)])
    func fileThatIsGzipIsReadToItsEnd(body: [UInt8], most: Int, kind: TransportError.Kind?) throws {
        let response = Response(
            status: 200, body: body, address: try Address("https://a.b/f?Signature=5ecret"))
        do throws(TransportError) {
            let bytes = try response.gunzippedBody(most: most)
            #expect(kind == nil)
            #expect(bytes.count <= most)
        } catch {
            #expect(error.kind == kind)
            #expect(!error.address.contains("5ecret"))
        }
    }
}
