package import AppHealth
import Settings
package import Tokens
package import Transport

/// Android vitals through the Google Play Developer Reporting API, v1beta1: one package as one app.
package struct PlayProvider: Provider {
    static let service = GoogleService(
        name: "play", usualBase: PlayConfiguration.usualBase,
        scope: "https://www.googleapis.com/auth/playdeveloperreporting",
        api: "Google Play Developer Reporting API",
        role: "View app information (read-only), or for this app View app quality information (read-only)",
        permissionHint: """
            in the Play Console, give the account 'View app information (read-only)', or for this app \
            'View app quality information (read-only)'
            """)

    private let configuration: PlayConfiguration
    private let sender: TokenSender
    private let knownReleases: @Sendable () -> [Release]
    var lastFetch: @Sendable () -> LastFetch = { .unknown }
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }

    /// A provider that sends with tokens of the account, which go to the configuration's origin only; providers
    /// that are given the same `tokens` share them.
    ///
    /// - Parameter knownReleases: the releases of earlier runs, for the names of version codes that are no longer served.
    package init(
        _ configuration: PlayConfiguration, sender: some Sender, tokens: SharedTokens = SharedTokens(),
        knownReleases: @escaping @Sendable () -> [Release] = { [] },
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.configuration = configuration
        self.knownReleases = knownReleases
        let source = tokens.source(
            configuration.account, scopes: [Self.service.scope], sender: sender, now: now)
        self.sender = TokenSender(sender, origin: configuration.base.origin, tokens: source)
    }

    package var source: Source { playSource(configuration) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .play, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func missingPermissions(in refusal: Response) -> [String] {
        googleMissingPermissions(in: refusal, of: Self.service)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let endpoint = PlayEndpoint(configuration)
        let measure = configuration.measure
        let pages = configuration.mostPages
        let query = { (set: String, part: String) in
            ServiceCall.google(endpoint.app + ["\(set):query"], body: [], part: part)
        }
        let issues = ServiceCall.google(endpoint.app + ["errorIssues:search"], part: "issues")
        let calls: [(ServiceCall, Int)] = [
            (endpoint.releases, 1), (endpoint.freshness(of: measure.metricSet), 1),
            (query(measure.metricSet, "users, then users by version"), 2 * pages), (issues, pages),
            (endpoint.freshness(of: "errorCountMetricSet"), 1),
            (query("errorCountMetricSet", "counts by day of issues"), pages),
            (ServiceCall.google(endpoint.app + ["anomalies"], part: "anomalies"), pages),
        ]
        return Self.service.plan(calls, below: configuration.base, account: configuration.account)
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let known = knownReleases()
        var configuration = configuration
        configuration.days = lastFetch().days(usual: configuration.days, most: 90, at: now)
        let run = PlayRun(configuration, sender: sender, known, knownIssues: knownIssues)
        return await outcome(of: run, at: now, \.parts) { run throws(ServiceFault) in
            try await run.snapshot(of: app, at: now)
        }
    }
}

/// What Android vitals count.
func playSource(_ configuration: PlayConfiguration) -> Source {
    let measure = configuration.measure
    return Source(
        id: configuration.id, provider: PlayProvider.service.name,
        sessionDefinition: "Android vitals count no sessions.",
        userDefinition: """
            A user who had the app in active use that day; the service rounds their number to 10, 100, \
            1,000 or 1,000,000 and gives the share that met \(measure.words) they could see. The number of \
            those is worked out from both and rounded. Distinct within a day, never over days. Issues count \
            the crashes and hangs that users could see, too.
            """,
        zone: playZone, delay: ProviderDescriptor.play.delay,
        capabilities: ProviderDescriptor.play.capabilities,
        settling: SettlingAge(settlesAfterHours: 48, finalAfterHours: 168),
        // Users are rounded, and those who crashed are their product with a rate.
        hasExactCounts: false, estimates: [.users, .releaseHealth], issueTotals: .days(configuration.days))
}

extension ProviderDescriptor {
    /// Android vitals through the Google Play Developer Reporting API.
    package static let play = ProviderDescriptor(
        BlockSchema(
            "play", title: "Google Play", summary: "The Android vitals of a package in Google Play",
            keys: [
                .required("package", example: "com.example.app", "the package name").namingData(),
                .optional(
                    "measure", .choice(PlayMeasure.allCases.map(\.rawValue)),
                    else: PlayMeasure.crashes.rawValue, "crashes, or hangs as a source of its own"
                ).namingData(.valueUnless(PlayMeasure.crashes.rawValue)),
                .optional("url", else: PlayConfiguration.usualBase, "URL of the API"), .googleAccount,
            ]),
        capabilities: [.users, .releaseHealth, .releases, .issues, .issueDays, .notes],
        permissions: PlayProvider.service.permissions, limit: RateLimit(10, perSeconds: 1),
        limitSource:
            "Google Play Developer Reporting API, usual quota: 10 queries a second for a project",
        delay: "One to two days; only days the service reports as complete are requested."
    ) { setup in
        var configuration = try PlayConfiguration(
            package: setup.required("package"), account: setup.googleAccount(),
            measure: setup.text("measure").flatMap(PlayMeasure.init) ?? .crashes,
            base: setup.required("url"), id: setup.id)
        configuration.limits = setup.limits
        var provider = PlayProvider(
            configuration, sender: setup.sender, tokens: setup.shared.tokens,
            knownReleases: setup.knownReleases)
        provider.lastFetch = setup.lastFetch
        provider.knownIssues = setup.knownIssues
        return provider
    }
}

/// What is counted against the users of a day.
package enum PlayMeasure: String, Sendable, CaseIterable {
    /// Users affected by a crash that they could see.
    case crashes
    /// Users whose app hung visibly (an ANR).
    case hangs
}

/// What is needed to query Google Play's Developer Reporting API (v1beta1) about one app; never without an
/// account.
package struct PlayConfiguration: Sendable {
    /// The service.
    package static let usualBase = "https://playdeveloperreporting.googleapis.com"

    /// Where the API is; a path in it stays.
    package var base: Address
    /// The package name: `org.example.app`.
    package let package: String
    /// The service account that sends the requests.
    package var account: ServiceAccountKey
    /// What the days of health count; for both, configure two sources.
    package var measure: PlayMeasure
    /// The name of the source within its app.
    package var id: Slug
    /// How many days are requested, 1…90.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 30
    /// The most pages of a list.
    package var mostPages = 3
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    package init(
        package name: String, account: ServiceAccountKey, measure: PlayMeasure = .crashes,
        base: String = usualBase, id: Slug = Slug(anyText: "play")
    ) throws(GoogleConfigurationError) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = name.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "." || $0 == "_")
        }
        guard parts.count > 1, !parts.contains(""), isName else { throw .package(name) }
        self.base = try googleBase(base)
        self.package = name
        self.account = account
        self.measure = measure
        self.id = id
    }
}

extension PlayMeasure {
    /// The metric set that reports it.
    var metricSet: String { self == .crashes ? "crashRateMetricSet" : "anrRateMetricSet" }
    /// Its rate of users of a day, as far as users could see it.
    var rate: String { self == .crashes ? "userPerceivedCrashRate" : "userPerceivedAnrRate" }
    /// What a user met.
    var words: String { self == .crashes ? "a crash" : "a hang (ANR)" }
}
