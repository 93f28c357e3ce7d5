import Foundation
package import Transport

/// A service account of Google, from the JSON key file that its console hands out once.
package struct ServiceAccountKey: Sendable {
    /// The account: `name@project.iam.gserviceaccount.com`.
    package let email: String
    /// The project the account belongs to; nil when the file does not say.
    package let projectID: String?
    /// Where assertions are exchanged for access tokens, and the audience they are made for.
    package let tokenAddress: Address
    /// Distinguishes this key from others without revealing it.
    package let fingerprint: String
    let signer: JWTSigner

    /// Reads a key file; what is wrong with it is reported without quoting it.
    package init(json: some Sequence<UInt8>) throws(ServiceAccountKeyError) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(json)) else { throw .notJSON }
        guard file.type == "service_account" else { throw .kind(String((file.type ?? "").prefix(60))) }
        guard let email = file.email, !email.isEmpty else { throw .missing("client_email") }
        guard let pem = file.privateKey, !pem.isEmpty else { throw .missing("private_key") }
        self.email = email
        self.projectID = file.projectID
        self.fingerprint = Tokens.fingerprint(pem.utf8)
        do throws(AddressError) {
            tokenAddress = try Address(file.tokenURI ?? Self.usualTokenAddress)
        } catch {
            throw .tokenAddress(error)
        }
        do throws(JWTError) {
            signer = try JWTSigner(.rs256, pem: pem, keyID: file.keyID)
        } catch {
            throw .key(error)
        }
    }

    private static let usualTokenAddress = "https://oauth2.googleapis.com/token"

    private struct File: Decodable {
        var type: String?
        var email: String?
        var projectID: String?
        var privateKey: String?
        var keyID: String?
        var tokenURI: String?

        enum CodingKeys: String, CodingKey {
            case type
            case email = "client_email"
            case projectID = "project_id"
            case privateKey = "private_key"
            case keyID = "private_key_id"
            case tokenURI = "token_uri"
        }
    }
}
