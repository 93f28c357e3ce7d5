package import Settings

/// Whom a source trusts over TLS, and what proves to the service who sends the request.
package struct TrustConfiguration: Sendable, Hashable {
    /// A PEM file of certificate authorities in the place of the system's, from the folder of the configuration;
    /// nil for the system's.
    package var certificateAuthority: String?
    /// The certificate that is shown to the service; nil for none.
    package var clientCertificate: ClientCertificateConfiguration?

    /// What is set here, and what the other has where nothing is.
    func over(_ other: TrustConfiguration) -> TrustConfiguration {
        TrustConfiguration(
            certificateAuthority: certificateAuthority ?? other.certificateAuthority,
            clientCertificate: clientCertificate ?? other.clientCertificate)
    }
}

/// A certificate with its key, as PEM files from the folder of the configuration.
package struct ClientCertificateConfiguration: Sendable, Hashable {
    /// The file of the certificate and of those that vouch for it.
    package var certificate: String
    /// The file of the private key; nil when the certificate's file holds it.
    package var key: String?
    /// Where the password of the key is; nil when the key has none.
    package var password: SecretReference?
}

/// The keys about TLS, which the whole configuration or one source may have.
let trustKeys = ["certificateAuthority", "clientCertificate"]
/// The keys of a client certificate.
let clientCertificateKeys = ["certificate", "key", "password", "passwordFile"]

extension YAMLFile {
    /// Whom to trust and what to show, of the whole configuration or of one source.
    mutating func trust(_ keys: [String: YAMLValue]) -> TrustConfiguration {
        TrustConfiguration(
            certificateAuthority: text(keys["certificateAuthority"]),
            clientCertificate: clientCertificate(keys["clientCertificate"]))
    }

    private mutating func clientCertificate(_ value: YAMLValue?) -> ClientCertificateConfiguration? {
        guard let value, let keys = mapping(value, keys: clientCertificateKeys) else { return nil }
        guard let certificate = keys["certificate"] else {
            add(
                "config.missing-key", "Client certificate has no 'certificate'", at: value,
                hints: ["add 'certificate' with the path of a PEM file"])
            return nil
        }
        guard let path = text(certificate) else { return nil }
        return ClientCertificateConfiguration(
            certificate: path, key: text(keys["key"]), password: secret("password", keys))
    }
}
