/// Whom a source trusts over TLS, and what proves to the service who asks.
package struct TrustConfiguration: Sendable, Hashable {
    /// A PEM file of certificate authorities in the place of the system's, from the folder of the configuration;
    /// nil for the system's.
    package var certificateAuthority: String?
    /// The certificate that is shown to the service; nil for none.
    package var clientCertificate: ClientCertificateConfiguration?

    /// What stands here, and what the other has where nothing stands.
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
