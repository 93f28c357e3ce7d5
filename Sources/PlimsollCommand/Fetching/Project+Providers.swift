import AppHealth
import Configuration
import Diagnostics
import Providers
import Transport

/// A source of an app that is ready to be fetched, or the reason why it is not.
struct SourceJob: Sendable {
    let app: App
    let source: Source
    let provider: Result<any Provider, Diagnostic>
}

extension Project {
    /// The one HTTP client of a run; it may read local files, which are a provider's too.
    func client() -> Client {
        var options = Client.Options(version: programVersion)
        options.allowsFiles = true
        return Client(options)
    }

    /// Every source of every app, in the order of the configuration.
    func sourceJobs(_ sender: some Sender) -> [SourceJob] {
        configuration.apps.flatMap { app in
            app.sources.map { sourceJob(app.app, $0, sender) }
        }
    }

    /// One source of one app.
    func sourceJob(_ app: App, _ source: SourceConfiguration, _ sender: some Sender) -> SourceJob {
        let provider = Result { () throws(Diagnostic) in try self.provider(source, sender) }
        let described = (try? provider.get())?.source ?? undescribed(source)
        return SourceJob(app: app, source: described, provider: provider)
    }

    private func provider(_ source: SourceConfiguration, _ sender: some Sender) throws(Diagnostic)
        -> any Provider
    {
        do {
            switch source.provider {
            case .files(let place, let token):
                return try filesProvider(source, place, token, sender)
            case .bugsnag(let settings):
                return try bugsnagProvider(source, settings, sender)
            }
        } catch let error as any DiagnosticConvertible {
            var diagnostic = error.diagnostic
            diagnostic.location = diagnostic.location ?? source.location
            throw diagnostic
        } catch {
            throw .error("config.source", "The source '\(source.id)' cannot be used", at: source.location)
        }
    }

    private func filesProvider(
        _ source: SourceConfiguration, _ place: String, _ token: SecretReference?, _ sender: some Sender
    ) throws -> any Provider {
        let isAddress = place.contains("://")
        var configuration = try FilesConfiguration(isAddress ? place : path(place), id: source.id)
        configuration.limits.totalMilliseconds = self.configuration.timeoutSeconds * 1000
        configuration.shownAs = place
        guard let token else { return FilesProvider(configuration, sender: sender) }
        guard case .address(let address) = configuration.place else {
            throw Diagnostic.error(
                "config.needless-token", "A token is given for files on this machine", at: source.location,
                hints: ["remove the token, or give an https address as 'path'"])
        }
        let secret = try secret(token, at: source.location)
        let authenticated = try AuthenticatedClient(
            sender, origin: address.origin, credential: .bearer(secret))
        return FilesProvider(configuration, sender: authenticated)
    }

    private func bugsnagProvider(
        _ source: SourceConfiguration, _ settings: BugsnagSettings, _ sender: some Sender
    ) throws -> any Provider {
        var configuration = try BugsnagConfiguration(
            project: settings.project, token: secret(settings.token, at: source.location), base: settings.url,
            organization: settings.organization, releaseStage: settings.releaseStage, id: source.id)
        configuration.limits.totalMilliseconds = self.configuration.timeoutSeconds * 1000
        return try BugsnagProvider(configuration, sender: sender)
    }

    /// A source that cannot even be asked: nothing is known of it.
    private func undescribed(_ source: SourceConfiguration) -> Source {
        Source(
            id: source.id, provider: source.provider.kind.rawValue, sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [])
    }
}
