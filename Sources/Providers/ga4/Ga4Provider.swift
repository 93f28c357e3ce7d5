package import AppHealth
import Settings
package import Tokens
package import Transport

/// Google Analytics 4 through its Data API, v1beta: one property, or one stream of it, as one app.
package struct Ga4Provider: Provider {
    static let service = GoogleService(
        name: "ga4", usualBase: Ga4Configuration.usualBase,
        scope: "https://www.googleapis.com/auth/analytics.readonly", api: "Google Analytics Data API",
        role: "Viewer of the property",
        permissionHint: "give the account the role Viewer in the property's access management")

    private let configuration: Ga4Configuration
    private let sender: TokenSender
    /// The source as its last run described it.
    var describedBefore: @Sendable () -> Source? = { nil }
    var lastFetch: @Sendable () -> LastFetch = { .unknown }

    /// A provider that sends with tokens of the account, which go to the configuration's origin only; providers
    /// that are given the same `tokens` share them.
    package init(
        _ configuration: Ga4Configuration, sender: some Sender, tokens: SharedTokens = SharedTokens(),
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.configuration = configuration
        let source = tokens.source(
            configuration.account, scopes: [Self.service.scope], sender: sender, now: now)
        self.sender = TokenSender(sender, origin: configuration.base.origin, tokens: source)
    }

    /// Its zone is the property's, which only a response states; until then it reads UTC.
    package var source: Source { ga4Source(configuration, zone: nil) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .ga4, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func missingPermissions(in refusal: Response) -> [String] {
        googleMissingPermissions(in: refusal, of: Self.service)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let queries: [Ga4Query] = [.usage, .health, .releaseHealth]
        let calls = queries.map {
            (Ga4Request.call($0, of: configuration, offset: 0), configuration.mostRequests)
        }
        return Self.service.plan(
            [(Ga4Request.metrics(of: configuration), 1)] + calls, below: configuration.base,
            account: configuration.account)
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        var configuration = configuration
        configuration.days = lastFetch().days(usual: configuration.days, most: 365, at: now)
        let run = Ga4Run(configuration, sender: sender, describedBefore: describedBefore)
        return await outcome(of: run, at: now, \.parts) { run throws(ServiceFault) in
            try await run.snapshot(of: app, at: now)
        }
    }
}

/// What Google Analytics counts.
func ga4Source(_ configuration: Ga4Configuration, zone: String?) -> Source {
    let stream = configuration.stream.map { "; data stream \($0)" } ?? ""
    return Source(
        id: configuration.id, provider: Ga4Provider.service.name,
        sessionDefinition: """
            A session begins when the app comes to the foreground or a page is viewed while none is active; \
            it ends after 30 minutes without activity, unless the property says otherwise\(stream).
            """,
        userDefinition: """
            Users by the property's reporting identity: distinct within a day, within the seven and the 28 days \
            that end with it, never added up over days\(stream). Rates are of all users of the app's versions, \
            web pages excluded; a user crashed who sent app_exception that day.
            """,
        zone: zone ?? "UTC",
        delay: ProviderDescriptor.ga4.delay,
        capabilities: ProviderDescriptor.ga4.capabilities,
        settling: SettlingAge(settlesAfterHours: 48, finalAfterHours: 168),
        hasExactCounts: false)
}

extension ProviderDescriptor {
    /// Google Analytics 4 through its Data API.
    package static let ga4 = ProviderDescriptor(
        BlockSchema(
            "ga4", title: "Google Analytics 4",
            summary: "Crash-free users and usage of a property of Google Analytics 4",
            keys: [
                .required("property", example: "123456789", "the number of the property").namingData(),
                .optional("stream", example: "987654321", "the data stream to report, or all; default: all")
                    .namingData(.valueUnless("all")),
                .optional("url", else: Ga4Configuration.usualBase, "URL of the API"), .googleAccount,
            ]),
        capabilities: [.users, .releaseHealth, .usage], permissions: Ga4Provider.service.permissions,
        limitSource:
            "Google Analytics Data API, quotas: counts tokens (40,000 an hour for a property), not requests",
        delay: "24 to 48 hours; only past days are requested, and the last two can still grow."
    ) { setup in
        var configuration = try Ga4Configuration(
            property: setup.required("property"), account: setup.googleAccount(),
            stream: setup.text("stream").flatMap { $0 == "all" ? nil : $0 },
            base: setup.required("url"), id: setup.id)
        configuration.namesStreams = setup.text("stream") == nil
        configuration.limits = setup.limits
        var provider = Ga4Provider(configuration, sender: setup.sender, tokens: setup.shared.tokens)
        provider.describedBefore = setup.describedBefore
        provider.lastFetch = setup.lastFetch
        return provider
    }
}

/// What is needed to query the Google Analytics Data API (v1beta) about one property; never without an account.
package struct Ga4Configuration: Sendable {
    /// The service.
    package static let usualBase = "https://analyticsdata.googleapis.com"

    /// Where the API is; a path in it stays.
    package var base: Address
    /// The property's number.
    package let property: String
    /// The id of the one data stream that is reported; nil reports all of the property together.
    package var stream: String?
    /// Whether several streams that are reported together are named in a warning.
    package var namesStreams = true
    /// The service account that sends the requests.
    package var account: ServiceAccountKey
    /// The name of the source within its app.
    package var id: Slug
    /// How many whole days are requested, 1…365.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 20
    /// How many rows one response may have; the service admits 250,000.
    package var rowsOfPage = 10_000
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration.
    package init(
        property: String, account: ServiceAccountKey, stream: String? = nil, base: String = usualBase,
        id: Slug = Slug(anyText: "ga4")
    ) throws(GoogleConfigurationError) {
        guard let number = wholeNumber(property), number > 0 else { throw .property(property) }
        self.base = try googleBase(base)
        self.property = property
        self.stream = stream
        self.account = account
        self.id = id
    }
}
