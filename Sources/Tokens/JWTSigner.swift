import Cryptography
package import Diagnostics
import Foundation
package import Transport

/// Signs JSON Web Tokens (RFC 7515, compact form) with a private key that never leaves it.
package struct JWTSigner: Sendable {
    /// How a token is signed (RFC 7518 §3.1).
    package enum Algorithm: String, Sendable, CaseIterable {
        /// RSASSA-PKCS1-v1_5 with SHA-256: service accounts of Google.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256, the signature as r and s, 64 bytes: App Store Connect.
        case es256 = "ES256"
    }

    /// How it signs.
    package let algorithm: Algorithm
    /// The key's name at the service, sent as `kid`; nil sends none.
    package let keyID: String?
    private let key: SigningKey

    /// A signer with an unencrypted PEM key (PKCS#8; also PKCS#1 for RSA, SEC 1 for P-256).
    package init(_ algorithm: Algorithm, pem: String, keyID: String? = nil) throws(JWTError) {
        self.algorithm = algorithm
        self.keyID = keyID
        guard let key = SigningKey(algorithm.keyKind, pem: pem) else { throw .key(algorithm) }
        self.key = key
    }

    /// A signed token with these claims.
    package func token(_ claims: [String: JWTClaim]) throws(JWTError) -> Secret {
        guard let secret = Secret(try text(claims)) else { throw .signing(algorithm) }
        return secret
    }

    /// The token as it goes over the wire.
    func text(_ claims: [String: JWTClaim]) throws(JWTError) -> String {
        var header: [String: JWTClaim] = ["alg": .text(algorithm.rawValue), "typ": .text("JWT")]
        header["kid"] = keyID.map { .text($0) }
        guard let head = try? part(header), let claims = try? part(claims),
            let signature = key.signature(of: Array("\(head).\(claims)".utf8))
        else { throw .signing(algorithm) }
        return "\(head).\(claims).\(base64URL(Data(signature)))"
    }
}

extension JWTSigner: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm alone.
    package var description: String { "\(algorithm.rawValue) signer" }
    /// The algorithm alone.
    package var debugDescription: String { description }
    /// Shows no part of the key to `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm]) }
}

private func part(_ members: [String: JWTClaim]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return base64URL(try encoder.encode(members))
}

/// Base 64 with the URL alphabet and without padding (RFC 4648 §5, RFC 7515 §2).
private func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

/// Why a token cannot be signed. It holds nothing of the key.
package enum JWTError: Error, Hashable, Sendable {
    /// The text is no unencrypted PEM of a private key that fits the algorithm.
    case key(JWTSigner.Algorithm)
    /// Signing failed in the cryptographic library.
    case signing(JWTSigner.Algorithm)
}

extension JWTError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .key(let algorithm):
            .error(
                "token.key", "Private key cannot be read as \(algorithm.keyText)",
                hints: [
                    "use the key as downloaded, from -----BEGIN to -----END, without a passphrase"
                ])
        case .signing(let algorithm):
            .error(
                "token.signing", "Token could not be signed with \(algorithm.rawValue)",
                hints: ["make a new key at the service"])
        }
    }
}

extension JWTSigner.Algorithm {
    fileprivate var keyKind: SigningKey.Kind {
        switch self {
        case .rs256: .rsa
        case .es256: .p256
        }
    }

    fileprivate var keyText: String {
        switch self {
        case .rs256: "an RSA key of at least 2048 bits"
        case .es256: "an elliptic-curve key on P-256"
        }
    }
}

/// The value of a claim in a signed token (RFC 7519 §4).
package enum JWTClaim: Hashable, Sendable, Encodable {
    /// A text, such as an issuer.
    case text(String)
    /// A whole number, such as seconds since 1970.
    case number(Int)

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}
