import Configuration
import Diagnostics
import Site
import Tokens

extension Project {
    /// What tells the credential of a source from others, without telling anything of it: kept answers are never
    /// shared by two tokens or by two client certificates.
    func credentialScope(of source: SourceConfiguration) throws(Diagnostic) -> String {
        var parts: [String] = []
        if let secret = source.provider.secret {
            parts.append("credential \(fingerprint(try secretBytes(secret, at: source.location)))")
        }
        if let certificate = source.trust.clientCertificate {
            do throws(FileFailure) {
                let bytes = try readFile(path(certificate.certificate), limit: 4 << 20)
                parts.append("certificate \(fingerprint(bytes))")
            } catch {
                throw error.diagnostic
            }
        }
        return parts.joined(separator: ", ")
    }
}

extension ProviderConfiguration {
    /// Where the credential is; nil when there is none.
    var secret: SecretReference? {
        switch self {
        case .files(_, let token): token
        case .metrickit: nil
        case .bugsnag(let settings): settings.token
        case .sentry(let settings), .glitchtip(let settings): settings.token
        case .bugsink(let settings): settings.token
        case .crashlytics(let settings): settings.account
        case .play(let settings): settings.account
        case .ga4(let settings): settings.account
        case .socorro(let settings): settings.token
        case .appstoreconnect(let settings): settings.key
        }
    }
}
