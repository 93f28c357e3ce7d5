import Foundation
import SignatureCheck

/// A team key for tests. It was made for them alone and opens nothing anywhere.
package struct StubTeamKey: Sendable {
    /// The key of all tests.
    package static let shared = StubTeamKey()

    package let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    package let id = "2X9R4HXF34"
    /// The text of its `.p8` file.
    package let pem: String

    private init() {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("test-only-p256-key.pem")
        guard let pem = try? String(contentsOf: file, encoding: .utf8) else {
            preconditionFailure("the key of the tests cannot be read")
        }
        self.pem = pem
    }

    /// What is wrong with a bearer token at an instant; nil when the service would take it.
    package func fault(inBearer header: String?, at now: Int) -> String? {
        guard let header, header.hasPrefix("Bearer ") else { return "no token" }
        let parts = header.dropFirst("Bearer ".count).components(separatedBy: ".")
        guard parts.count == 3, !header.contains("="), let head = object(parts[0]),
            let claims = object(parts[1]),
            let signature = decoded(parts[2])
        else { return "no JWT" }
        guard head["alg"] as? String == "ES256", head["typ"] as? String == "JWT", head["kid"] as? String == id
        else { return "header" }
        // r and s, 64 bytes: DER is refused.
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        guard isSignature([UInt8](signature), of: signed, byKeyIn: pem) else { return "signature" }
        guard claims["iss"] as? String == issuer, claims["aud"] as? String == "appstoreconnect-v1" else {
            return "issuer or audience"
        }
        guard let from = claims["iat"] as? Int, let until = claims["exp"] as? Int else { return "no times" }
        guard from <= now, until > now, until - from < 1200 else { return "times" }
        return nil
    }
}

private func object(_ part: String) -> [String: Any]? {
    decoded(part).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
}

private func decoded(_ part: String) -> Data? {
    let plain = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
}
