package import Diagnostics

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
                    "give the key as it was downloaded, from -----BEGIN to -----END, without a passphrase"
                ])
        case .signing(let algorithm):
            .error(
                "token.signing", "Token could not be signed with \(algorithm.rawValue)",
                hints: ["make a new key at the service"])
        }
    }
}

extension JWTSigner.Algorithm {
    fileprivate var keyText: String {
        switch self {
        case .rs256: "an RSA key of at least 2048 bits"
        case .es256: "an elliptic-curve key on P-256"
        }
    }
}
