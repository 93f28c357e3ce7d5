import AppHealth
import Diagnostics

extension YAMLFile {
    /// One source; the keys that it may have depend on its provider.
    mutating func source(_ value: YAMLValue) -> SourceConfiguration? {
        let names = ProviderKind.allCases.map(\.rawValue).joined(separator: ", ")
        guard value.isMapping else {
            add(
                "yaml.wrong-type", "\(value.key): expected a mapping, found \(value.kind)", at: value,
                hints: ["begin it with 'provider: ' and one of: \(names)"])
            return nil
        }
        let all = Set(ProviderKind.allCases.flatMap(\.keys)).sorted()
        var probe = self
        guard let loose = probe.mapping(value, keys: all), let name = loose["provider"] else {
            if probe.problems.count == problems.count {
                add(
                    "config.no-provider", "A source has no provider", at: value,
                    hints: ["add 'provider: ' with one of: \(names)"])
            } else {
                self = probe
            }
            return nil
        }
        guard let kind = choice(name, of: ProviderKind.self), let keys = mapping(value, keys: kind.keys)
        else {
            return nil
        }
        guard let provider = provider(kind, keys, value) else { return nil }
        let id = text(keys["id"]) ?? kind.rawValue
        guard let slug = Slug(id) else {
            add(
                "config.bad-id", "'\(id)' cannot be an id", at: keys["id"],
                hints: ["use lowercase letters, digits and '-'"])
            return nil
        }
        return SourceConfiguration(
            id: slug, provider: provider, trust: trust(keys), location: location(of: value))
    }

    private mutating func provider(
        _ kind: ProviderKind, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> ProviderConfiguration? {
        switch kind {
        case .files: required("path", keys, value).map { .files(path: $0, token: secret("token", keys)) }
        case .metrickit: required("path", keys, value).map { .metrickit(path: $0) }
        case .bugsnag: bugsnag(keys, value).map { .bugsnag($0) }
        case .sentry: sentry(kind, keys, value).map { .sentry($0) }
        case .glitchtip: sentry(kind, keys, value).map { .glitchtip($0) }
        case .bugsink: bugsink(keys, value).map { .bugsink($0) }
        case .crashlytics: crashlytics(keys, value).map { .crashlytics($0) }
        case .play: play(keys, value).map { .play($0) }
        case .ga4: analytics(keys, value).map { .ga4($0) }
        case .socorro: socorro(keys, value).map { .socorro($0) }
        case .appstoreconnect: appStoreConnect(keys, value).map { .appstoreconnect($0) }
        }
    }
}

extension ProviderKind {
    /// The keys that a source of this provider may have.
    fileprivate var keys: [String] {
        let token = ["token", "tokenFile"]
        let account = ["account", "accountFile"]
        let own: [String] =
            switch self {
            case .files: ["path"] + token
            case .metrickit: ["path"]
            case .bugsnag: ["project", "organization", "releaseStage", "url"] + token
            case .sentry, .glitchtip: ["organization", "project", "environment", "url"] + token
            case .bugsink: ["project", "url"] + token
            case .crashlytics: ["app", "project", "url"] + account
            case .play: ["package", "measure", "url"] + account
            case .ga4: ["property", "stream", "url"] + account
            case .socorro: ["product", "url"] + token
            case .appstoreconnect:
                ["app", "issuer", "keyId", "key", "keyFile", "createReportRequest", "url"]
            }
        return ["provider", "id"] + own + (self == .metrickit ? [] : trustKeys)
    }
}
