/// Scheme, host and port: what a credential is bound to.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The schemes an address may have.
    package enum Scheme: String, Sendable, CaseIterable {
        /// HTTP without TLS.
        case http
        /// HTTP over TLS.
        case https
        /// A file on this machine.
        case file
    }

    /// How it is reached.
    package let scheme: Scheme
    /// The host in lower case, IPv6 in brackets; empty for a file.
    package let host: String
    /// The port, the scheme's own when the address names none; 0 for a file.
    package let port: Int

    /// `https://host`, with the port when it is not the scheme's own.
    package var description: String {
        let isUsual = port == 0 || (scheme == .http && port == 80) || (scheme == .https && port == 443)
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")"
    }
}
