package import AppHealth
import Settings
package import Tokens
package import Transport

/// Firebase Crashlytics through its REST interface, v1alpha: one Firebase app as one app.
package struct CrashlyticsProvider: Provider {
    static let service = GoogleService(
        name: "crashlytics", usualBase: CrashlyticsConfiguration.usualBase,
        scope: "https://www.googleapis.com/auth/firebase", api: "Firebase Crashlytics API",
        role: "Firebase Crashlytics Viewer",
        permissionHint:
            "give the account the role Firebase Crashlytics Viewer in the project of the app")

    private let configuration: CrashlyticsConfiguration
    private let sender: TokenSender
    private let providedBefore: @Sendable () -> Set<Capability>
    var lastFetch: @Sendable () -> LastFetch = { .unknown }
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }

    /// A provider that sends with tokens of the account, which go to the configuration's origin only; providers
    /// that are given the same `tokens` share them.
    ///
    /// - Parameter providedBefore: what the source provided in its last run.
    package init(
        _ configuration: CrashlyticsConfiguration, sender: some Sender,
        tokens: SharedTokens = SharedTokens(),
        providedBefore: @escaping @Sendable () -> Set<Capability> = { [] },
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.configuration = configuration
        self.providedBefore = providedBefore
        let source = tokens.source(
            configuration.account, scopes: [Self.service.scope], sender: sender, now: now)
        self.sender = TokenSender(sender, origin: configuration.base.origin, tokens: source)
    }

    package var source: Source { crashlyticsSource(configuration.id, days: configuration.days) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .crashlytics, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func missingPermissions(in refusal: Response) -> [String] {
        googleMissingPermissions(in: refusal, of: Self.service)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        // The days of a plan do not matter; any instant will do.
        let endpoint = CrashlyticsEndpoint(configuration, at: Instant(secondsSinceEpoch: 0))
        let pages = configuration.mostPages
        let calls: [(ServiceCall, Int)] = [
            (endpoint.reports, 1), (endpoint.report("topIssues", "issues"), 2 * pages),
            (endpoint.report("topVersions", "versions"), pages),
            (endpoint.report("{report}", "totals"), CrashlyticsRun.mostTotals * pages),
            (endpoint.frames, 2 * pages), (endpoint.notes(on: "{issue}"), configuration.mostRequests),
            (
                ServiceCall.google(endpoint.parent + ["events"], part: "places in the code"),
                CrashlyticsRun.mostSearched
            ),
        ]
        return Self.service.plan(calls, below: configuration.base, account: configuration.account)
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        var configuration = configuration
        configuration.days = lastFetch().days(usual: configuration.days, most: 89, at: now)
        let run = CrashlyticsRun(
            configuration, sender: sender, at: now, providedBefore: providedBefore, knownIssues: knownIssues)
        return await outcome(of: run, at: now, \.parts) { run throws(ServiceFault) in
            try await run.snapshot(of: app, at: now)
        }
    }
}

extension CrashlyticsEndpoint {
    fileprivate func report(_ id: String, _ part: String) -> ServiceCall {
        ServiceCall.google(parent + ["reports", id], part: part)
    }

    fileprivate var frames: ServiceCall {
        ServiceCall.google(parent + ["events:batchGet"], part: "places in the code")
    }
}

/// What Crashlytics counts.
func crashlyticsSource(_ id: Slug, days: Int) -> Source {
    Source(
        id: id, provider: CrashlyticsProvider.service.name,
        sessionDefinition: """
            A session of Firebase; it crashed when it has a fatal event. This interface does not state when \
            a session begins.
            """,
        userDefinition: """
            A user is one installation of the app; distinct within a day, never over days. A user with \
            a fatal event is affected.
            """,
        zone: "UTC", delay: ProviderDescriptor.crashlytics.delay,
        capabilities: ProviderDescriptor.crashlytics.capabilities,
        hasExactCounts: false, issueTotals: .days(days))
}

extension ProviderDescriptor {
    /// Firebase Crashlytics through its REST interface.
    package static let crashlytics = ProviderDescriptor(
        BlockSchema(
            "crashlytics", title: "Firebase Crashlytics", summary: "An app of Firebase Crashlytics",
            keys: [
                .required("app", example: "1:1234567890:ios:0123abcd", "the Firebase app id").namingData(),
                .optional("project", example: "my-project", "id or number of the Google project"),
                .optional("url", else: CrashlyticsConfiguration.usualBase, "URL of the API"),
                .googleAccount,
            ]),
        capabilities: [.sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .notes],
        permissions: CrashlyticsProvider.service.permissions,
        limitSource: "Firebase Crashlytics API, v1alpha: no number is documented",
        delay: "The service states none; only past days are requested."
    ) { setup in
        var configuration = try CrashlyticsConfiguration(
            appID: setup.required("app"), account: setup.googleAccount(), project: setup.text("project"),
            base: setup.required("url"), id: setup.id)
        configuration.limits = setup.limits
        var provider = CrashlyticsProvider(
            configuration, sender: setup.sender, tokens: setup.shared.tokens,
            providedBefore: setup.providedBefore)
        provider.lastFetch = setup.lastFetch
        provider.knownIssues = setup.knownIssues
        return provider
    }
}

/// What is needed to query Firebase Crashlytics (REST, v1alpha) about one app; never without an account.
package struct CrashlyticsConfiguration: Sendable {
    /// The service.
    package static let usualBase = "https://firebasecrashlytics.googleapis.com"

    /// Where the API is; a path in it stays.
    package var base: Address
    /// The app's id: `1:<project number>:<platform>:<hex digits>`.
    package let appID: String
    /// The project's number or id; the app id holds the number.
    package var project: String
    /// The service account that sends the requests.
    package var account: ServiceAccountKey
    /// The name of the source within its app.
    package var id: Slug
    /// How many whole days are requested, 1…89: the service keeps 90.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 40
    /// The most pages of a list, 100 elements each.
    package var mostPages = 2
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    package init(
        appID: String, account: ServiceAccountKey, project: String? = nil, base: String = usualBase,
        id: Slug = Slug(anyText: "crashlytics")
    ) throws(GoogleConfigurationError) {
        let parts = appID.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let number = wholeNumber(parts[1]), number > 0 else {
            throw .firebaseApp(appID)
        }
        self.base = try googleBase(base)
        self.appID = appID
        self.project = project ?? String(number)
        self.account = account
        self.id = id
    }
}
