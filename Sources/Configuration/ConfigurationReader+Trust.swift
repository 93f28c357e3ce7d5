/// The keys about TLS, which the whole configuration or one source may have.
let trustKeys = ["certificateAuthority", "clientCertificate"]

extension YAMLFile {
    /// Whom to trust and what to show, of the whole configuration or of one source.
    mutating func trust(_ keys: [String: YAMLValue]) -> TrustConfiguration {
        TrustConfiguration(
            certificateAuthority: text(keys["certificateAuthority"]),
            clientCertificate: clientCertificate(keys["clientCertificate"]))
    }

    private mutating func clientCertificate(_ value: YAMLValue?) -> ClientCertificateConfiguration? {
        guard let value,
            let keys = mapping(value, keys: ["certificate", "key", "password", "passwordFile"])
        else { return nil }
        guard let certificate = keys["certificate"] else {
            add(
                "config.missing-key", "A client certificate lacks the key 'certificate'", at: value,
                hints: ["add 'certificate' with the path of a PEM file"])
            return nil
        }
        guard let path = text(certificate) else { return nil }
        return ClientCertificateConfiguration(
            certificate: path, key: text(keys["key"]), password: secret("password", keys))
    }
}
