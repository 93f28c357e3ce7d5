/// A certificate with its key that proves to one origin who asks (mutual TLS).
package struct ClientCertificate: Hashable, Sendable {
    /// Where it may be shown.
    package var origin: Origin
    /// A PEM file with the certificate and those that vouch for it.
    package var certificateFile: String
    /// A PEM file with the private key; nil when the certificate's file holds it.
    package var keyFile: String?
    /// What opens the key; nil when it is not locked.
    package var passphrase: Secret?

    /// A certificate for one origin.
    package init(
        origin: Origin, certificateFile: String, keyFile: String? = nil, passphrase: Secret? = nil
    ) {
        self.origin = origin
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.passphrase = passphrase
    }
}
