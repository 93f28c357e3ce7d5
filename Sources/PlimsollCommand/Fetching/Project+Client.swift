import AppHealth
import Configuration
import Diagnostics
import Providers
import Site
import Transport

extension Project {
    /// How often and how long a request is tried.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        let retries = configuration.retries
        policy.attempts = retries.attempts ?? policy.attempts
        policy.budgetMilliseconds = retries.seconds.map { $0 * 1000 } ?? policy.budgetMilliseconds
        policy.capMilliseconds = retries.longestWaitSeconds.map { $0 * 1000 } ?? policy.capMilliseconds
        return policy
    }

    /// The one HTTP client of a run; it may read local files, which are a provider's too. A proxy is the one that
    /// the environment names.
    ///
    /// - Returns: the client, and where two sources want different trust for one host, which it cannot give.
    func client(for jobs: [SourceJob]) -> (client: Client, problems: [Diagnostic]) {
        var options = Client.Options(version: programVersion)
        options.allowsFiles = true
        var trusts: [Origin: TrustConfiguration] = [:]
        var problems: [Diagnostic] = []
        for job in jobs {
            guard let provider = try? job.provider.get() else { continue }
            let asked = Set(provider.plan(for: job.app).compactMap(\.origin))
            let home = provider.terms?.origin ?? asked.first
            for origin in asked {
                var trust = job.trust
                if origin != home { trust.clientCertificate = nil }
                if let known = trusts[origin], known != trust {
                    problems.append(twoTrusts(job, origin))
                } else {
                    trusts[origin] = trust
                }
            }
        }
        for (origin, trust) in trusts {
            options.authorities[origin] = trust.certificateAuthority.map(path)
            if let own = trust.clientCertificate, let certificate = try? certificate(own, for: origin) {
                options.clientCertificates.append(certificate)
            }
        }
        return (Client(options), problems)
    }

    /// Whether the files of certificates and keys can be read and hold what they should.
    func checkFiles(of trust: TrustConfiguration, at location: Location) throws(Diagnostic) {
        if let file = trust.certificateAuthority {
            try check(file, what: "certificate authority", holds: "CERTIFICATE-----", at: location)
        }
        guard let own = trust.clientCertificate else { return }
        try check(own.certificate, what: "client certificate", holds: "CERTIFICATE-----", at: location)
        try check(own.key ?? own.certificate, what: "client key", holds: "PRIVATE KEY-----", at: location)
        if let password = own.password { _ = try secret(password, at: location) }
    }

    private func check(
        _ file: String, what: String, holds mark: String, at location: Location
    ) throws(Diagnostic) {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try readFile(path(file), limit: 4 << 20)
        } catch {
            throw .error(
                "config.certificate-unreadable", "The \(what) '\(file)' cannot be read",
                details: [error.diagnostic.summary], at: location,
                hints: ["correct the path, which begins at the folder of the configuration"])
        }
        guard String(decoding: bytes, as: UTF8.self).contains(mark) else {
            throw .error(
                "config.not-pem", "The file '\(file)' holds no \(what) in PEM", at: location,
                hints: ["write it as PEM: a text with lines such as -----BEGIN \(mark)"])
        }
    }

    private func certificate(
        _ own: ClientCertificateConfiguration, for origin: Origin
    ) throws(Diagnostic) -> ClientCertificate {
        var passphrase: Secret?
        if let password = own.password {
            passphrase = try secret(password, at: .file(path: own.certificate))
        }
        return ClientCertificate(
            origin: origin, certificateFile: path(own.certificate), keyFile: own.key.map(path),
            passphrase: passphrase)
    }

    private func twoTrusts(_ job: SourceJob, _ origin: Origin) -> Diagnostic {
        .warning(
            "config.two-certificates",
            "\(job.app.id) from \(job.source.id) names other certificates for \(origin) than a source before it",
            details: ["those of the first source are used for both"],
            hints: ["give both sources the same certificateAuthority and clientCertificate"])
    }
}
