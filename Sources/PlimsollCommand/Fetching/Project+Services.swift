import Configuration
import Diagnostics
import Providers
import Tokens
import Transport

extension Project {
    /// Seconds for one request, in the unit of Transport.
    private var milliseconds: Int { configuration.timeoutSeconds * 1000 }

    /// How often and how long a request is tried.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        let retries = configuration.retries
        policy.attempts = retries.attempts ?? policy.attempts
        policy.budgetMilliseconds = retries.seconds.map { $0 * 1000 } ?? policy.budgetMilliseconds
        policy.capMilliseconds = retries.longestWaitSeconds.map { $0 * 1000 } ?? policy.capMilliseconds
        return policy
    }

    func files(
        _ source: SourceConfiguration, _ place: String, _ token: SecretReference?, _ sender: some Sender,
        _ means: FetchServices
    ) throws -> any Provider {
        let isAddress = place.contains("://")
        var configuration = try FilesConfiguration(isAddress ? place : path(place), id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        configuration.shownAs = place
        guard let token else { return FilesProvider(configuration, sender: sender, shelf: means.files) }
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

    func metrickit(_ source: SourceConfiguration, _ place: String, _ sender: some Sender) -> any Provider {
        var configuration = MetricKitConfiguration(path: path(place), id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        configuration.shownAs = place
        return MetricKitProvider(configuration, sender: sender)
    }

    func bugsnag(
        _ source: SourceConfiguration, _ settings: BugsnagSettings, _ sender: some Sender
    ) throws -> any Provider {
        var configuration = try BugsnagConfiguration(
            project: settings.project, token: secret(settings.token, at: source.location),
            base: settings.url ?? BugsnagConfiguration.usualBase, organization: settings.organization,
            releaseStage: settings.releaseStage, id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        return try BugsnagProvider(configuration, sender: sender)
    }

    func sentry(
        _ source: SourceConfiguration, _ settings: SentrySettings, _ sender: some Sender
    ) throws -> any Provider {
        var configuration = try SentryConfiguration(
            organization: settings.organization, project: settings.project,
            token: secret(settings.token, at: source.location),
            base: settings.url ?? SentryConfiguration.usualBase,
            environment: settings.environment ?? "production", id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        return try SentryProvider(configuration, sender: sender)
    }

    func glitchtip(
        _ source: SourceConfiguration, _ settings: SentrySettings, _ sender: some Sender
    ) throws -> any Provider {
        var configuration = try GlitchtipConfiguration(
            organization: settings.organization, project: settings.project,
            token: secret(settings.token, at: source.location),
            base: settings.url ?? GlitchtipConfiguration.usualBase, environment: settings.environment,
            id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        return try GlitchtipProvider(configuration, sender: sender)
    }

    func bugsink(
        _ source: SourceConfiguration, _ settings: BugsinkSettings, _ sender: some Sender
    ) throws -> any Provider {
        var configuration = try BugsinkConfiguration(
            project: settings.project, token: secret(settings.token, at: source.location), base: settings.url,
            id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        return try BugsinkProvider(configuration, sender: sender)
    }

    func socorro(
        _ source: SourceConfiguration, _ settings: SocorroSettings, _ sender: some Sender
    ) throws -> any Provider {
        let token = try settings.token.map { try secret($0, at: source.location) }
        var configuration = try SocorroConfiguration(
            product: settings.product, token: token, base: settings.url ?? SocorroConfiguration.usualBase,
            id: source.id)
        configuration.limits.totalMilliseconds = milliseconds
        return try SocorroProvider(configuration, sender: sender)
    }
}
