extension Client {
    /// What holds for every request of one client.
    package struct Options: Hashable, Sendable {
        /// The program's version, sent as `plimsoll/<version>`.
        package var version: String
        /// The most transfers at once with one origin, and so the most connections to one host.
        package var transfersPerHost = 4
        /// The most transfers at once.
        package var transfers = 16
        /// A PEM file of certificate authorities in the place of the system's bundle; nil for the system's.
        package var certificateFile: String?
        /// A PEM file of certificate authorities for one origin, in the place of those above.
        package var authorities: [Origin: String] = [:]
        /// Certificates that prove to a server who asks; each is shown to its own origin only.
        package var clientCertificates: [ClientCertificate] = []
        /// Whether file:// addresses may be read.
        package var allowsFiles = false
        /// Whether the proxy that the environment names (https_proxy, no_proxy) is used.
        package var usesProxy = true

        /// Four transfers for a host, sixteen in all, the system's certificates, no files, the
        /// environment's proxy.
        package init(version: String) {
            self.version = version
        }
    }
}
