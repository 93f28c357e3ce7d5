/// The providers, each with what it needs; without its credential there is none.
package enum ProviderConfiguration: Sendable {
    /// Snapshot files: a folder, a file or an address.
    case files(path: String, token: SecretReference?)
    /// MetricKit payloads of Apple's systems: a folder or a file.
    case metrickit(path: String)
    /// Bugsnag.
    case bugsnag(BugsnagSettings)
    /// Sentry, hosted or one's own.
    case sentry(SentrySettings)
    /// GlitchTip, which answers as Sentry does.
    case glitchtip(SentrySettings)
    /// Bugsink.
    case bugsink(BugsinkSettings)
    /// Firebase Crashlytics.
    case crashlytics(CrashlyticsSettings)
    /// Google Play's vitals.
    case play(PlaySettings)
    /// Google Analytics 4.
    case ga4(AnalyticsSettings)
    /// Mozilla's crash-stats.
    case socorro(SocorroSettings)
    /// App Store Connect.
    case appstoreconnect(AppStoreConnectSettings)

    /// The provider's name.
    package var kind: ProviderKind {
        switch self {
        case .files: .files
        case .metrickit: .metrickit
        case .bugsnag: .bugsnag
        case .sentry: .sentry
        case .glitchtip: .glitchtip
        case .bugsink: .bugsink
        case .crashlytics: .crashlytics
        case .play: .play
        case .ga4: .ga4
        case .socorro: .socorro
        case .appstoreconnect: .appstoreconnect
        }
    }
}

/// The names of the providers.
package enum ProviderKind: String, Sendable, CaseIterable {
    case files, metrickit, bugsnag, sentry, glitchtip, bugsink, crashlytics, play, ga4, socorro
    case appstoreconnect
}

/// What the Bugsnag provider needs.
package struct BugsnagSettings: Sendable {
    /// The project's slug, name or id.
    package var project: String
    /// The organization's slug, name or id; nil when the token sees only one.
    package var organization: String?
    /// The release stage.
    package var releaseStage: String
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where the personal auth token is.
    package var token: SecretReference
}

/// What the Sentry and the GlitchTip provider need.
package struct SentrySettings: Sendable {
    /// The organization's slug or id.
    package var organization: String
    /// The project's slug or id.
    package var project: String
    /// The environment; nil for the provider's usual one.
    package var environment: String?
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where the auth token is.
    package var token: SecretReference
}

/// What the Bugsink provider needs.
package struct BugsinkSettings: Sendable {
    /// The project's slug, name or id.
    package var project: String
    /// The address of the server.
    package var url: String
    /// Where the auth token is.
    package var token: SecretReference
}

/// What the Crashlytics provider needs.
package struct CrashlyticsSettings: Sendable {
    /// The Firebase app: `1:1234567890:ios:0123abcd`.
    package var app: String
    /// The Google project's id or number; nil for the number within `app`.
    package var project: String?
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where the key file of the service account is.
    package var account: SecretReference
}

/// What the Google Play provider needs.
package struct PlaySettings: Sendable {
    /// What a source counts: a day has one number of users who met trouble, so crashes and hangs are two sources.
    package enum Measure: String, Sendable, CaseIterable {
        case crashes, hangs
    }

    /// The package name: `com.example.app`.
    package var package: String
    /// What is counted.
    package var measure: Measure
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where the key file of the service account is.
    package var account: SecretReference
}

/// What the Google Analytics provider needs.
package struct AnalyticsSettings: Sendable {
    /// The number of the property.
    package var property: String
    /// The number of the data stream of the app; nil for all of the property.
    package var stream: String?
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where the key file of the service account is.
    package var account: SecretReference
}

/// What the crash-stats provider needs.
package struct SocorroSettings: Sendable {
    /// The product's name: `Firefox`.
    package var product: String
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where an API token is; nil for the public part.
    package var token: SecretReference?
}

/// What the App Store Connect provider needs.
package struct AppStoreConnectSettings: Sendable {
    /// The app's Apple ID, or its bundle id.
    package var app: String
    /// The issuer id of the team's keys; `${NAME}` for the value of an environment variable.
    package var issuer: String
    /// The key's id; `${NAME}` for the value of an environment variable.
    package var keyID: String
    /// Whether a report request is created when there is none; this writes to the account.
    package var createsReportRequest: Bool
    /// The address of the service; nil for the usual one.
    package var url: String?
    /// Where the private key is, the text of a `.p8` file.
    package var key: SecretReference
}

/// Where a secret is kept; the secret itself is never in the configuration.
package enum SecretReference: Sendable, Hashable {
    /// In an environment variable.
    case environment(String)
    /// In a file, from the folder of the configuration.
    case file(String)
}
