package import AppHealth
package import Diagnostics
package import Tokens
package import Transport

/// What is needed to query the App Store Connect API about one app; never without a key.
package struct AppStoreConnectConfiguration: Sendable {
    /// The service.
    package static let usualBase = "https://api.appstoreconnect.apple.com"
    /// Seconds that a token is good for; the service refuses 20 minutes and more.
    package static let tokenLifetime = 900

    /// Where the API is; a path in it stays.
    package var base: Address
    /// The app's Apple ID, a number, or its bundle id: `org.example.app`.
    package let app: String
    /// The issuer id of the team's keys.
    package let issuer: String
    /// Signs the tokens.
    package let signer: JWTSigner
    /// The name of the source within its app.
    package var id: Slug
    /// Whether a report request is created when the app has none; this writes to the account, and only a key of
    /// an administrator may do it.
    package var createsReportRequest = false
    /// The most instances of a report that are read, the newest; the service keeps 35 days.
    package var mostInstances = 35
    /// The most requests of one fetch, retries included.
    package var mostRequests = 600
    /// The most pages of a list; a page holds 200 elements.
    package var mostPages = 5
    /// The most bytes of a segment after decompression.
    package var segmentBytes = 64 << 20
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    /// - Parameters:
    ///   - app: The Apple ID or the bundle id.
    ///   - keyID: The key's id, as it is in the name of its file.
    ///   - key: The text of the `.p8` file; line breaks may be written `\n`, as some stores of secrets keep them.
    package init(
        app: String, issuer: String, keyID: String, key: String, base: String = usualBase,
        id: Slug = Slug(anyText: "appstoreconnect")
    ) throws(AppStoreConnectConfigurationError) {
        guard isAppleID(app) || isBundleID(app) else { throw .app(app) }
        guard isPlain(issuer) else { throw .issuer(issuer) }
        guard isPlain(keyID) else { throw .keyID(keyID) }
        self.app = app
        self.issuer = issuer
        self.id = id
        do throws(AddressError) {
            self.base = try Address(base)
        } catch {
            throw .address(error)
        }
        do throws(JWTError) {
            let pem = key.contains("\n") ? key : key.replacing("\\n", with: "\n")
            signer = try JWTSigner(.es256, pem: pem, keyID: keyID)
        } catch {
            throw .key(error)
        }
    }
}

/// Whether it is the number that App Store Connect gives an app.
func isAppleID(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count) && wholeNumber(text) != nil
}

private func isBundleID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && parts.allSatisfy { isPlain(String($0)) } && text.utf8.count <= 200
}

/// Letters, digits and hyphens: what issuer ids, key ids and the parts of bundle ids are made of.
private func isPlain(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
}

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
            diagnostic.hints = ["use the .p8 file as downloaded from App Store Connect"]
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
