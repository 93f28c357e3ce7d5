import AppHealth
package import Diagnostics
import Tokens
package import Transport

/// Why a configuration for one of Google's services cannot be made.
package enum GoogleConfigurationError: Error, Hashable, Sendable {
    /// The base is no address.
    case address(AddressError)
    /// A Firebase app id is `1:<project number>:<platform>:<hex digits>`.
    case firebaseApp(String)
    /// A package name is at least two names joined by dots.
    case package(String)
    /// A property of Google Analytics is a number.
    case property(String)
}

extension GoogleConfigurationError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .address(let error): error.diagnostic
        case .firebaseApp(let text):
            problem(
                text, "is no app id of Firebase",
                "write it as the Firebase console shows it: 1:123456789012:android:0a1b2c3d4e5f")
        case .package(let text):
            problem(text, "is no package name", "write the app's package name, such as org.example.app")
        case .property(let text):
            problem(
                text, "is no property id of Google Analytics",
                "write the number from the property's settings, not the G-… id of a stream")
        }
    }

    private func problem(_ text: String, _ what: String, _ hint: String) -> Diagnostic {
        .error(
            "google.configuration", "'\(printable(String(text.prefix(100))))' \(what)", hints: [hint])
    }
}

/// The address, with the error of these configurations.
func googleBase(_ text: String) throws(GoogleConfigurationError) -> Address {
    do throws(AddressError) {
        return try Address(text)
    } catch {
        throw .address(error)
    }
}

extension SourceKey {
    /// The key of the service account, which all of Google's services take.
    static let googleAccount = SourceKey.required(
        "account", .secret(.file), example: "service-account.json",
        "the key file of a service account; never commit it")
}

extension SourceSetup {
    /// The key of the service account, from the JSON that Google Cloud hands out.
    func googleAccount() throws -> ServiceAccountKey {
        try ServiceAccountKey(json: requiredSecret("account").bytes)
    }
}
