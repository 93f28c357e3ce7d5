import Files
import Testing

@testable import Site

struct KeptStampsTests {
    @Test(arguments: [
        [:],
        ["index.html": FileStamp(node: 1, size: 2, written: 3, changed: 4)],
        [
            "apps/a/index.html": FileStamp(node: .max, size: .max, written: .min, changed: -1),
            "天気/ü b.md": FileStamp(node: 0, size: 0, written: 0, changed: 0),
            "": FileStamp(node: 256, size: 65_536, written: 1 << 40, changed: 1 << 62),
        ],
    ])
    func stampsComeBackAsTheyWere(stamps: [String: FileStamp]) throws {
        let bytes = try ValueEncoder.bytes(of: KeptStamps(stamps))
        #expect(try ValueDecoder.value(KeptStamps.self, from: bytes).stamps == stamps)
    }

    @Test func runsThatDoNotFitEachOtherAreNotRead() throws {
        struct Other: Encodable {
            let paths: [UInt8]
            let numbers: [UInt8]
        }
        for (paths, count) in [("a\0b\0", 32), ("a\0", 64), ("a", 32), ("a\0", 31), ("a\0", 0)] {
            let bytes = try ValueEncoder.bytes(
                of: Other(paths: Array(paths.utf8), numbers: Array(repeating: 7, count: count)))
            #expect(try ValueDecoder.value(KeptStamps.self, from: bytes).stamps == nil)
        }
    }
}
