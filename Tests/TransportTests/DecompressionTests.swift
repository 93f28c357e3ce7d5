import LoopbackServer
import Testing

@testable import Transport

/// A coding with a way to make its streams.
enum Coding: String, CaseIterable, Sendable {
    case gzip, br, zstd

    func packed(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .gzip: gzipped(bytes)
        case .br: brotlied(bytes)
        case .zstd: zstandard(bytes)
        }
    }

    /// More than 1 MiB of zeros in few bytes.
    var bomb: [UInt8] {
        switch self {
        case .gzip: bombOfZeros
        case .br: brotliBomb
        case .zstd: zstandardBomb
        }
    }
}

struct DecompressionTests {
    private let plain = Array("{\"days\": [1, 2, 3], \"text\": \"\u{FC}ber\"}".utf8)

    /// What becomes of bytes that come in pieces of this size.
    private func receive(_ bytes: [UInt8], as coding: String?, pieces: Int = 1000, limit: Int = 1 << 20)
        -> BodyReceiver
    {
        var receiver = BodyReceiver(limit: limit)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let isTaken = bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes {
                receiver.receive($0, coding: coding)
            }
            guard isTaken else { break }
        }
        return receiver
    }

    private func check(
        _ bytes: [UInt8], _ coding: Coding, pieces: Int = 1000,
        _ expected: (body: [UInt8], kind: TransportError.Kind?), limit: Int = 1 << 20,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let receiver = receive(bytes, as: coding.rawValue.uppercased(), pieces: pieces, limit: limit)
        #expect(
            (receiver.refusal ?? receiver.shortage)?.kind == expected.kind, sourceLocation: sourceLocation)
        #expect(receiver.bytes == expected.body, sourceLocation: sourceLocation)
    }

    @Test(arguments: Coding.allCases, [1, 2, 7, 1000])
    func decompressesInPiecesOfAnySize(coding: Coding, pieces: Int) {
        check(coding.packed(plain), coding, pieces: pieces, (plain, nil))
        check(coding.packed([]), coding, pieces: pieces, ([], nil))
        check([], coding, pieces: pieces, ([], nil))
    }

    @Test(arguments: [
        (Coding.br, "8f11807b2264617973223a205b312c20322c20335d2c202274657874223a2022c3bc626572227d03"),
        (
            .zstd,
            "28b52ffd04682101007b2264617973223a205b312c20322c20335d2c202274657874223a2022c3bc626572227d5b6331c5"
        ),
    ])
    func readsWhatTheUsualToolsWrite(coding: Coding, hex: String) {
        let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { start in
            UInt8(hex.dropFirst(start).prefix(2), radix: 16)
        }
        check(bytes, coding, pieces: 3, (plain, nil))
    }

    /// A service that repeats the token where the text of the error is cut.
    @Test(arguments: ["", ", gzip"]) func aCutHeaderLeavesNoPartOfASecret(more: String) throws {
        let token = "s3cr3t0t0ken0value"
        var receiver = BodyReceiver(limit: 100, redaction: Redaction([try secret(token)]))
        let coding = String(repeating: "x", count: 34) + token + more
        let isTaken = plain.withUnsafeBytes { receiver.receive($0, coding: coding) }
        #expect(!isTaken && receiver.refusal?.kind == .encoding)
        #expect(receiver.refusal?.text.contains("s3") == false, "\(receiver.refusal?.text ?? "")")
    }

    /// Members and frames may follow each other; a second Brotli stream is a second body.
    @Test(arguments: Coding.allCases)
    func knowsWhetherStreamsMayFollowEachOther(coding: Coding) {
        let twice = coding.packed(plain) + coding.packed(plain)
        check(twice, coding, coding == .br ? (plain, .encoding) : (plain + plain, nil))
        check(twice, coding, pieces: 1, coding == .br ? (plain, .encoding) : (plain + plain, nil))
    }

    @Test(arguments: Coding.allCases)
    func noticesACutAtEveryByte(coding: Coding) {
        let whole = coding.packed(plain)
        for count in 1..<whole.count {
            let receiver = receive(Array(whole.prefix(count)), as: coding.rawValue)
            #expect(receiver.shortage?.kind == .truncated, "\(coding) cut after \(count)")
        }
    }

    @Test func noticesDamageAtEveryByteOfGzip() {
        let whole = gzipped(plain)
        // Time, extra flags and system (bytes 4…9) and the padding of the block's head say nothing of the content.
        for index in whole.indices where !(4...10).contains(index) {
            var damaged = whole
            damaged[index] ^= 0x40
            let receiver = receive(damaged, as: "gzip")
            #expect(receiver.refusal != nil || receiver.shortage != nil, "byte \(index)")
        }
    }

    @Test(arguments: Coding.allCases)
    func refusesWhatFollowsTheStream(coding: Coding) {
        check(coding.packed(plain) + Array("rest".utf8), coding, (plain, .encoding))
    }

    @Test(arguments: Coding.allCases)
    func refusesWhatIsNotOfTheCoding(coding: Coding) {
        let receiver = receive(Array("{\"days\": [1, 2, 3, 4, 5, 6]}".utf8), as: coding.rawValue)
        #expect(receiver.refusal?.kind == .encoding)
        #expect(
            receiver.refusal?.text == "the body is not the \(coding.rawValue) stream that it says it is")
    }

    @Test func refusesAWindowThatHTTPDoesNotAllow() {
        check(zstandardOfLargeWindow, .zstd, ([], .encoding))
    }

    @Test(arguments: Coding.allCases)
    func stopsAtTheLimit(coding: Coding) {
        let large = [UInt8](repeating: 7, count: 200_000)
        check(coding.packed(large), coding, pieces: 5000, (large, nil))
        check(coding.packed(large), coding, pieces: 5000, (large, nil), limit: large.count)
        let receiver = receive(coding.packed(large), as: coding.rawValue, limit: 100_000)
        #expect(receiver.refusal?.kind == .tooLarge && receiver.bytes.count <= 100_000)
        let bomb = receive(coding.bomb, as: coding.rawValue, limit: 100_000)
        #expect(bomb.refusal?.kind == .tooLarge && bomb.bytes.count <= 100_000)
    }

    /// Empty members and frames bring no byte of the body, however many there are.
    @Test(arguments: [Coding.gzip, .zstd])
    func stopsAtStreamsWithoutContent(coding: Coding) {
        let empty = (0..<1000).flatMap { _ in coding.packed([]) }
        #expect(receive(empty, as: coding.rawValue, limit: 1000).refusal?.kind == .tooLarge)
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("identity", nil), ("Identity, identity", nil), ("x-gzip", "stream"),
            ("deflate", "compressed as 'deflate'; accepted: gzip, br, zstd"),
            ("compress", "accepted: "),
            ("brotli", "accepted: "), ("gzip, br", "compressed 2 times ('gzip, br')"),
            ("gzip,gzip", "compressed 2 times"), ("gzip, identity", "stream"),
        ] as [(String?, String?)])
    func takesOtherCodingsAsTheyAreOrNotAtAll(coding: String?, refusal: String?) {
        let receiver = receive(plain, as: coding)
        #expect(receiver.bytes == (refusal == nil ? plain : []))
        #expect(receiver.refusal?.kind == (refusal == nil ? nil : .encoding))
        #expect(refusal.map { receiver.refusal?.text.contains($0) == true } ?? true, "\(coding ?? "")")
    }
}
