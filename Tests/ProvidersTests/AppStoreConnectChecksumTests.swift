import Testing

@testable import Providers

struct AppStoreConnectChecksumTests {
    /// The checksums of "abc", as the functions' specifications give them.
    @Test(arguments: [
        ("900150983cd24fb0d6963f7d28e17f72", true), ("900150983CD24FB0D6963F7D28E17F72", true),
        ("kAFQmDzST7DWlj99KOF/cg==", true), ("a9993e364706816aba3e25717850c26c9cd0d89d", true),
        ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", true),
        ("900150983cd24fb0d6963f7d28e17f73", false), ("a9993e364706816aba3e25717850c26c9cd0d89e", false),
    ])
    func comparesByTheFunctionOfItsLength(text: String, matches: Bool) throws {
        #expect(try #require(Checksum(text)).matches(Array("abc".utf8)) == matches)
    }

    @Test(arguments: [
        "", "abc", "crc32:352441c2", "352441c2", "9001509", "zz0150983cd24fb0d6963f7d28e17f72", "٣",
    ])
    func otherTextsAreNone(text: String) {
        #expect(Checksum(text) == nil)
    }
}
