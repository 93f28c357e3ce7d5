import Foundation
import SignatureCheck
import Testing

@testable import Cryptography

/// Against what the standards print and what another program makes.
struct CryptographyTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// FIPS 180-4 and RFC 1321: the examples of both.
    @Test(arguments: [
        (HashFunction.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digests(function: HashFunction, text: String, expected: String) {
        #expect(digest(of: text.utf8, by: function) == bytes(expected))
        var pieces = RunningDigest(function)
        for byte in text.utf8 { pieces.update(CollectionOfOne(byte)) }
        #expect(pieces.finish() == bytes(expected))
        // A sequence that holds no piece of memory.
        #expect(digest(of: text.utf8.lazy.map { $0 }, by: function) == bytes(expected))
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func authenticationCodes(key: [UInt8], text: String, expected: String) {
        #expect(authenticationCode(for: text.utf8, key: key) == bytes(expected))
    }

    @Test func anEmptyKeyIsAKey() {
        // RFC 2104 pads every key; the value is what Python's `hmac` gives.
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(authenticationCode(for: [], key: []) == bytes(expected))
    }

    /// The key of RFC 7515, appendix A.3, as SEC 1.
    private static let standardKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----
        """

    /// What finds out whether a signature is one.
    @Test func theSignatureThatTheStandardPrintsIsOne() throws {
        let key = Self.standardKey
        let signed =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try #require(
            Data(
                base64Encoded:
                    "DtEhU3ljbEg8L38VWAfUAqOyKAM6+Xx+F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3+Kg6NU1Q=="
            ))
        #expect(isSignature([UInt8](signature), of: Array(signed.utf8), byKeyIn: key))
        #expect(!isSignature([UInt8](signature), of: Array((signed + "x").utf8), byKeyIn: key))
        #expect(!isSignature([UInt8](signature.dropLast()), of: Array(signed.utf8), byKeyIn: key))
        #expect(!isSignature([UInt8](repeating: 0, count: 64), of: Array(signed.utf8), byKeyIn: key))
    }

    /// Numbers with leading zeros keep their 32 bytes, which about one signature in 128 needs.
    @Test func aSignatureHasAlwaysTwoWholeNumbers() throws {
        let key = try #require(SigningKey(.p256, pem: Self.standardKey))
        for number in 0..<600 {
            let text = Array("message \(number)".utf8)
            let signature = try #require(key.signature(of: text))
            #expect(signature.count == 64 && isSignature(signature, of: text, byKeyIn: Self.standardKey))
        }
    }

    @Test func signsAsAnotherProgramDoes() throws {
        let key = try openssl(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
        let pem = String(decoding: key, as: UTF8.self)
        let signer = try #require(SigningKey(.rsa, pem: pem))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try key.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let expected = try openssl(["dgst", "-sha256", "-sign", file.path], input: Data("text".utf8))
        let signature = try #require(signer.signature(of: Array("text".utf8)))
        #expect(signature == [UInt8](expected))
        #expect(isSignature(signature, of: Array("text".utf8), byKeyIn: pem))
        #expect(!isSignature(signature, of: Array("Text".utf8), byKeyIn: pem))
    }

    @Test(arguments: [
        (SigningKey.Kind.rsa, ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"]),
        (.rsa, ["genpkey", "-algorithm", "ED25519"]),
        (.p256, ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]),
        (
            .p256,
            [
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes256", "-pass",
                "pass:x",
            ]
        ),
        (.p256, ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
    ])
    func refusesOtherKeys(kind: SigningKey.Kind, arguments: [String]) throws {
        let pem = String(decoding: try openssl(arguments), as: UTF8.self)
        try #require(pem.contains("PRIVATE KEY"))
        #expect(SigningKey(kind, pem: pem) == nil)
    }

    @Test(arguments: ["", "not a key", "-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----\n"])
    func refusesWhatIsNoKey(text: String) {
        #expect(SigningKey(.rsa, pem: text) == nil && SigningKey(.p256, pem: text) == nil)
    }

    private func openssl(_ arguments: [String], input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (given, made) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (given, made)
        process.standardError = FileHandle.nullDevice
        try process.run()
        given.fileHandleForWriting.write(input)
        try given.fileHandleForWriting.close()
        let output = made.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return output
    }
}
