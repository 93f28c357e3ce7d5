import AppHealth
import Configuration
import Diagnostics
import Files
import Providers
import Settings
import Site
import Tokens
import Transport

/// The providers that the program knows. Tests lay more over it for the time of a task.
enum ProviderList {
    @TaskLocal static var all = standardProviders
}

/// A source of an app that is ready to be fetched, or the reason why it is not.
struct SourceJob: Sendable {
    let app: App
    let source: Source
    /// Whom it trusts over TLS and what it shows.
    let trust: TrustConfiguration
    /// What distinguishes its credential from others; empty without one.
    let account: String
    /// Which data of its service it reads; nil where its settings name none.
    var data: String?
    let provider: Result<any Provider, Diagnostic>

    /// Why it is not ready.
    var obstacle: Diagnostic? { if case .failure(let why) = provider { why } else { nil } }
}

extension Project {
    /// Every source of every app that is still asked, in the order of the configuration.
    func sourceJobs(_ services: FetchServices) -> [SourceJob] {
        configuration.apps.flatMap { app in
            askedSources(of: app).map { sourceJob(app.app, $0, services) }
        }
    }

    /// The sources of an app that did not end before this run.
    func askedSources(of app: AppConfiguration) -> [SourceConfiguration] {
        app.sources.filter { $0.source.isAsked(at: now) }
    }

    /// One source of one app.
    func sourceJob(_ app: App, _ source: SourceConfiguration, _ services: FetchServices) -> SourceJob {
        let data = NamedData(source.settings, of: source.schema)
        let provider = Result { () throws(Diagnostic) in
            if let other = OtherData(source, data, stored: services.storedData(app.id, source.id)) {
                throw other.diagnostic
            }
            return try self.provider(app, source, services)
        }
        let described = (try? provider.get())?.source ?? source.source
        let account = (try? credentialScope(of: source)) ?? ""
        return SourceJob(
            app: app, source: described, trust: source.trust, account: account, data: data?.text,
            provider: provider)
    }

    private func provider(
        _ app: App, _ source: SourceConfiguration, _ services: FetchServices
    ) throws(Diagnostic) -> any Provider {
        do {
            try checkFiles(of: source.trust, at: source.location)
            let scope = try credentialScope(of: source)
            let id = source.id
            let kept = services.kept(scope)?.waiting { services.whenStored(app.id, id, $0) }
            var setup = SourceSetup(
                id: id, values: try values(of: source), sender: services.sender(scope),
                shared: services.shared, kept: kept,
                timeoutMilliseconds: configuration.timeoutSeconds * 1000)
            setup.knownReleases = { services.knownReleases(app.id, id) }
            setup.isTimeGiven = configuration.asOf != nil
            setup.knownIssues = { services.knownIssues(app.id, id) }
            setup.knownCounts = { services.knownCounts(app.id, id) }
            setup.lastFetch = { services.lastFetch(app.id, id) }
            setup.describedBefore = { services.describedBefore(app.id, id) }
            setup.captureBefore = { services.captureBefore(app.id, id, $0) }
            let descriptor = ProviderList.all.first { $0.name == source.provider }
            if let descriptor { return try descriptor.make(setup) }
        } catch let error as any DiagnosticConvertible {
            var diagnostic = error.diagnostic
            diagnostic.location = diagnostic.location ?? source.location
            throw diagnostic
        } catch {}
        throw .error("config.source", "Source '\(source.id)' cannot be used", at: source.location)
    }

    /// What distinguishes the credential of a source from others, without showing anything of it: kept responses are never
    /// shared by two tokens or by two client certificates.
    func credentialScope(of source: SourceConfiguration) throws(Diagnostic) -> String {
        var parts: [String] = []
        for key in source.schema.keys {
            guard let secret = source.settings.secret(key.name) else { continue }
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

// MARK: Values

extension Project {
    /// The values of a source, secrets read and paths counted from the folder of the configuration.
    private func values(of source: SourceConfiguration) throws(Diagnostic) -> [String: SourceSetup.Value] {
        var values: [String: SourceSetup.Value] = [:]
        for key in source.schema.keys {
            switch source.settings.values[key.name] {
            case .text(let text)?: values[key.name] = try value(of: text, key.kind, at: source.location)
            case .flag(let flag)?: values[key.name] = .flag(flag)
            case .names(let names)?: values[key.name] = .names(names)
            case .secret(let reference)?:
                let bytes = try secretBytes(reference, at: source.location)
                values[key.name] = .secret(SecretBytes(bytes, from: words(reference)))
            case nil: continue
            }
        }
        return values
    }

    private func value(
        of text: String, _ kind: SettingKey.Kind, at location: Location
    ) throws(Diagnostic) -> SourceSetup.Value {
        switch kind {
        case .path: .path(path(text), shownAs: text)
        case .pathOrURL: text.contains("://") ? .text(text) : .path(path(text), shownAs: text)
        case .textOrVariable: .text(try variable(in: text, at: location))
        case .text, .flag, .number, .hours, .choice, .names, .secret: .text(text)
        }
    }

    /// The text itself, or for `${NAME}` the value of that environment variable.
    func variable(in text: String, at location: Location) throws(Diagnostic) -> String {
        guard text.hasPrefix("${"), text.hasSuffix("}") else { return text }
        let name = String(text.dropFirst(2).dropLast())
        if let value = environment[name], !value.isEmpty { return value }
        throw .error(
            "config.unset-variable", "Environment variable \(printable(name)) is not set", at: location,
            hints: ["set it for the job that runs plimsoll: export \(printable(name))=…"])
    }
}
