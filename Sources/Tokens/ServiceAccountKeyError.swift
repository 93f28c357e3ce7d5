package import Diagnostics
package import Transport

/// Why a key file cannot be used. It quotes nothing of the file but the kind it names.
package enum ServiceAccountKeyError: Error, Hashable, Sendable {
    /// It is no JSON object of texts.
    case notJSON
    /// Its `type` is another one than `service_account`; empty when it names none.
    case kind(String)
    /// A member that is needed is missing or empty.
    case missing(String)
    /// Its `token_uri` is no address.
    case tokenAddress(AddressError)
    /// Its private key cannot be used.
    case key(JWTError)
}

extension ServiceAccountKeyError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .notJSON:
            problem("Key file of the service account is not the JSON that the console hands out")
        case .kind(let kind):
            problem(
                "Key file is not that of a service account",
                details: kind.isEmpty ? [] : ["its type is '\(printable(kind))'"])
        case .missing(let member): problem("Key file of the service account has no \(member)")
        case .tokenAddress(let error):
            problem(
                "Key file of the service account has a token_uri that is no address",
                details: [error.diagnostic.summary])
        case .key(let error): error.diagnostic
        }
    }

    private func problem(_ summary: String, details: [String] = []) -> Diagnostic {
        .error(
            "token.key-file", summary, details: details,
            hints: ["make a JSON key for the service account in the Google Cloud console"])
    }
}
