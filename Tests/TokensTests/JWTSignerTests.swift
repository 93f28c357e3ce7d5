import AppStoreConnectStub
import Diagnostics
import Foundation
import GoogleStub
import SignatureCheck
import Testing
import Transport

@testable import Tokens

struct JWTSignerTests {
    private func parts(_ token: String) throws -> (header: String, claims: String, signature: Data) {
        let parts = token.components(separatedBy: ".")
        try #require(parts.count == 3)
        #expect(!token.contains("=") && !token.contains("+") && !token.contains("/"))
        return (try text(parts[0]), try text(parts[1]), try bytes(parts[2]))
    }

    private func bytes(_ part: String) throws -> Data {
        let plain = part.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(
            Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)))
    }

    private func text(_ part: String) throws -> String {
        String(decoding: try bytes(part), as: UTF8.self)
    }

    @Test func signsWithRSA() throws {
        let signer = try JWTSigner(.rs256, pem: StubAccount.shared.pem, keyID: "k1")
        let token = try signer.text(["iss": .text("a/b@c"), "iat": .number(7)])
        let (header, claims, signature) = try parts(token)
        #expect(header == #"{"alg":"RS256","kid":"k1","typ":"JWT"}"#)
        #expect(claims == #"{"iat":7,"iss":"a/b@c"}"#)
        let signed = token.prefix(upTo: try #require(token.lastIndex(of: ".")))
        #expect(StubAccount.shared.signed(String(signed), signature: signature))
        #expect(try signer.text(["iss": .text("a/b@c"), "iat": .number(7)]) == token)
    }

    @Test func signsWithAnEllipticCurveAsTwoNumbersNotAsDER() throws {
        let signer = try JWTSigner(.es256, pem: StubTeamKey.shared.pem)
        let token = try signer.text(["aud": .text("appstoreconnect-v1")])
        let (header, _, signature) = try parts(token)
        #expect(header == #"{"alg":"ES256","typ":"JWT"}"#)
        #expect(signature.count == 64)
        let signed = token.prefix(upTo: try #require(token.lastIndex(of: ".")))
        let pem = StubTeamKey.shared.pem
        #expect(isSignature([UInt8](signature), of: Array(signed.utf8), byKeyIn: pem))
    }

    @Test func aKeyOfTheWrongKindIsRefusedWithoutQuotingIt() throws {
        let elliptic = StubTeamKey.shared.pem
        let cases: [(JWTSigner.Algorithm, String)] = [
            (.rs256, elliptic), (.es256, StubAccount.shared.pem), (.rs256, ""), (.es256, "not a key"),
            (.rs256, String(StubAccount.shared.pem.dropLast(200))),
            (.rs256, StubAccount.shared.pem.replacing("-----BEGIN PRIVATE KEY-----", with: "")),
        ]
        for (algorithm, pem) in cases {
            let error = #expect(throws: JWTError.self) { try JWTSigner(algorithm, pem: pem) }
            #expect(error == .key(algorithm))
            #expect(error?.diagnostic.id == "token.key")
        }
    }

    @Test func theKeyIsInNoText() throws {
        let signer = try JWTSigner(.rs256, pem: StubAccount.shared.pem)
        var dumped = ""
        dump(signer, to: &dumped)
        #expect("\(signer)" == "RS256 signer")
        #expect(String(reflecting: signer) == "RS256 signer")
        let secretLine = StubAccount.shared.pem.split(separator: "\n")[3]
        #expect(!dumped.contains(secretLine) && !dumped.contains("PrivateKey"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "openssl is not here"))
    func readsKeysThatOpenSSLMade() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let pem = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        _ = try JWTSigner(.rs256, pem: pem).text(["a": .number(1)])
    }
}
