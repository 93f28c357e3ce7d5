import Cryptography
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

/// Distinguishes one secret from another without revealing it: the first 16 hexadecimal digits of the SHA-256
/// sum of a fixed word and the bytes.
///
/// A token is too long and too random to be found again from 64 bits of such a sum.
package func fingerprint(_ bytes: some Sequence<UInt8>) -> String {
    let sum = digest(of: Array("plimsoll fingerprint 1\n".utf8) + bytes)
    return sum.prefix(8).map { byte in
        let text = String(byte, radix: 16)
        return byte < 16 ? "0\(text)" : text
    }.joined()
}

/// A checksum that a service gives for a download: MD5, SHA-1 or SHA-256, distinguished by its length.
///
/// It finds damage on the way; against an attacker only the connection helps.
package struct Checksum: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads hexadecimal digits or base 64; nil when the text is the checksum of none of these functions.
    package init?(_ text: String) {
        guard let bytes = hexadecimal(text) ?? Data(base64Encoded: text).map({ [UInt8]($0) }),
            [16, 20, 32].contains(bytes.count)
        else { return nil }
        self.bytes = bytes
    }

    /// Whether it is that of these bytes.
    package func matches(_ content: [UInt8]) -> Bool {
        switch bytes.count {
        case 16: digest(of: content, by: .md5) == bytes
        case 20: digest(of: content, by: .sha1) == bytes
        default: digest(of: content) == bytes
        }
    }
}

/// The bytes that pairs of digits write, at most 32; nil for any other text.
private func hexadecimal(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2), digits.count <= 64 else {
        return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt8 in
        let byte: Int = digits[place] * 16 + digits[place + 1]
        return UInt8(byte)
    }
}
