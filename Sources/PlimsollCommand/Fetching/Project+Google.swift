import Configuration
import Diagnostics
import Providers
import Tokens
import Transport

extension Project {
    func crashlytics(
        _ source: SourceConfiguration, _ settings: CrashlyticsSettings, _ sender: some Sender,
        _ means: FetchServices
    ) throws -> any Provider {
        var configuration = try CrashlyticsConfiguration(
            appID: settings.app, account: account(settings.account, of: source), project: settings.project,
            base: settings.url ?? CrashlyticsConfiguration.usualBase, id: source.id)
        configuration.limits.totalMilliseconds = self.configuration.timeoutSeconds * 1000
        return CrashlyticsProvider(configuration, sender: sender, tokens: means.tokens)
    }

    func play(
        _ source: SourceConfiguration, _ settings: PlaySettings, _ sender: some Sender,
        _ means: FetchServices
    ) throws -> any Provider {
        var configuration = try PlayConfiguration(
            package: settings.package, account: account(settings.account, of: source),
            measure: settings.measure == .hangs ? .hangs : .crashes,
            base: settings.url ?? PlayConfiguration.usualBase, id: source.id)
        configuration.limits.totalMilliseconds = self.configuration.timeoutSeconds * 1000
        return PlayProvider(configuration, sender: sender, tokens: means.tokens)
    }

    func analytics(
        _ source: SourceConfiguration, _ settings: AnalyticsSettings, _ sender: some Sender,
        _ means: FetchServices
    ) throws -> any Provider {
        var configuration = try Ga4Configuration(
            property: settings.property, account: account(settings.account, of: source),
            stream: settings.stream,
            base: settings.url ?? Ga4Configuration.usualBase, id: source.id)
        configuration.limits.totalMilliseconds = self.configuration.timeoutSeconds * 1000
        return Ga4Provider(configuration, sender: sender, tokens: means.tokens)
    }

    /// The key of a service account, from the JSON that Google Cloud hands out.
    private func account(
        _ reference: SecretReference, of source: SourceConfiguration
    ) throws -> ServiceAccountKey {
        try ServiceAccountKey(json: secretBytes(reference, at: source.location))
    }
}
