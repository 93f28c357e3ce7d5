import Configuration
import Diagnostics
import Providers
import Transport

extension Project {
    func appStoreConnect(
        _ source: SourceConfiguration, _ settings: AppStoreConnectSettings, _ sender: some Sender,
        _ kept: KeptBytes?
    ) throws -> any Provider {
        let key = try secretBytes(settings.key, at: source.location)
        var configuration = try AppStoreConnectConfiguration(
            app: settings.app, issuer: value(of: settings.issuer, at: source.location),
            keyID: value(of: settings.keyID, at: source.location), key: String(decoding: key, as: UTF8.self),
            base: settings.url ?? AppStoreConnectConfiguration.usualBase, id: source.id)
        configuration.createsReportRequest = settings.createsReportRequest
        configuration.limits.totalMilliseconds = self.configuration.timeoutSeconds * 1000
        return AppStoreConnectProvider(configuration, sender: sender, kept: kept)
    }

    /// The text itself, or for `${NAME}` the value of that environment variable.
    private func value(of text: String, at location: Location) throws(Diagnostic) -> String {
        guard text.hasPrefix("${"), text.hasSuffix("}") else { return text }
        let name = String(text.dropFirst(2).dropLast())
        if let value = environment[name], !value.isEmpty { return value }
        throw .error(
            "config.unset-variable", "The variable \(printable(name)) is not set", at: location,
            hints: ["set it for the job that runs plimsoll: export \(printable(name))=…"])
    }
}
