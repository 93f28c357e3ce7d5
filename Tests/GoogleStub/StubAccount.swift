package import Foundation
import SignatureCheck

/// A service account for tests. Its key was made for them alone and opens nothing anywhere.
///
/// The key lies in a file, for making one in a test would hold up the threads of all others.
package struct StubAccount: Sendable {
    /// The account of all tests.
    package static let shared = StubAccount()

    package let email = "test-only@sketchbook.iam.gserviceaccount.example"
    package let keyID = "0a1b2c3d4e5f"
    /// The key as the console writes it: PKCS#8 in PEM.
    package let pem: String

    private init() {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("test-only-rsa-key.pem")
        do {
            pem = try String(contentsOf: file, encoding: .utf8)
        } catch {
            preconditionFailure("the key of the tests cannot be read: \(error)")
        }
    }

    /// The key file, with members removed, added or replaced.
    package func file(tokenAddress: String, _ changes: [String: String?] = [:]) -> [UInt8] {
        var members: [String: String] = [
            "type": "service_account", "project_id": "sketchbook", "private_key_id": keyID,
            "private_key": pem, "client_email": email, "token_uri": tokenAddress,
        ]
        for (name, value) in changes {
            if let value { members[name] = value } else { members.removeValue(forKey: name) }
        }
        return [UInt8]((try? JSONEncoder().encode(members)) ?? Data())
    }

    /// Whether the signature is this account's.
    package func signed(_ text: String, signature: Data) -> Bool {
        isSignature([UInt8](signature), of: Array(text.utf8), byKeyIn: pem)
    }
}
