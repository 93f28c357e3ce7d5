package import Diagnostics
package import Tokens
package import Transport

/// Why a configuration for App Store Connect cannot be made. It holds nothing of the key.
package enum AppStoreConnectConfigurationError: Error, Hashable, Sendable {
    /// The base is no address.
    case address(AddressError)
    /// An app is named by its Apple ID or its bundle id.
    case app(String)
    /// The issuer id has other characters than letters, digits and hyphens.
    case issuer(String)
    /// The key id has other characters than letters, digits and hyphens.
    case keyID(String)
    /// The key cannot be used.
    case key(JWTError)
}

extension AppStoreConnectConfigurationError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .address(let error): return error.diagnostic
        case .app(let text):
            return problem(
                text, "is neither an Apple ID nor a bundle id",
                "write the number from App information in App Store Connect, or the bundle id")
        case .issuer(let text):
            return problem(
                text, "is no issuer id", "copy it from Users and Access, Integrations, in App Store Connect"
            )
        case .keyID(let text):
            return problem(text, "is no key id", "copy it from the list of keys, or from AuthKey_….p8")
        case .key(let error):
            var diagnostic = error.diagnostic
            diagnostic.hints = ["give the .p8 file as App Store Connect handed it out"]
            return diagnostic
        }
    }

    private func problem(_ text: String, _ what: String, _ hint: String) -> Diagnostic {
        .error(
            "appstoreconnect.configuration", "'\(printable(String(text.prefix(100))))' \(what)",
            hints: [hint]
        )
    }
}
