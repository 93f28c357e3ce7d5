import AppHealth
import Configuration
import Diagnostics
import Providers
import Tokens
import Transport

/// A source of an app that is ready to be fetched, or the reason why it is not.
struct SourceJob: Sendable {
    let app: App
    let source: Source
    /// Whom it trusts over TLS and what it shows.
    let trust: TrustConfiguration
    /// What tells its credential from others; empty without one.
    let account: String
    let provider: Result<any Provider, Diagnostic>
}

extension Project {
    /// Every source of every app, in the order of the configuration.
    func sourceJobs(_ means: FetchServices) -> [SourceJob] {
        configuration.apps.flatMap { app in
            app.sources.map { sourceJob(app.app, $0, means) }
        }
    }

    /// One source of one app.
    func sourceJob(_ app: App, _ source: SourceConfiguration, _ means: FetchServices) -> SourceJob {
        let provider = Result { () throws(Diagnostic) in try self.provider(source, means) }
        let described = (try? provider.get())?.source ?? undescribed(source)
        let account = (try? credentialScope(of: source)) ?? ""
        return SourceJob(
            app: app, source: described, trust: source.trust, account: account, provider: provider)
    }

    private func provider(_ source: SourceConfiguration, _ means: FetchServices) throws(Diagnostic)
        -> any Provider
    {
        do {
            try checkFiles(of: source.trust, at: source.location)
            let scope = try credentialScope(of: source)
            let sender = means.sender(scope)
            switch source.provider {
            case .files(let place, let token): return try files(source, place, token, sender, means)
            case .metrickit(let place): return metrickit(source, place, sender)
            case .bugsnag(let settings): return try bugsnag(source, settings, sender)
            case .sentry(let settings): return try sentry(source, settings, sender)
            case .glitchtip(let settings): return try glitchtip(source, settings, sender)
            case .bugsink(let settings): return try bugsink(source, settings, sender)
            case .crashlytics(let settings): return try crashlytics(source, settings, sender, means)
            case .play(let settings): return try play(source, settings, sender, means)
            case .ga4(let settings): return try analytics(source, settings, sender, means)
            case .socorro(let settings): return try socorro(source, settings, sender)
            case .appstoreconnect(let settings):
                return try appStoreConnect(source, settings, sender, means.kept(scope))
            }
        } catch let error as any DiagnosticConvertible {
            var diagnostic = error.diagnostic
            diagnostic.location = diagnostic.location ?? source.location
            throw diagnostic
        } catch {
            throw .error("config.source", "The source '\(source.id)' cannot be used", at: source.location)
        }
    }

    /// A source that cannot even be asked: nothing is known of it.
    private func undescribed(_ source: SourceConfiguration) -> Source {
        Source(
            id: source.id, provider: source.provider.kind.rawValue, sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [])
    }
}
