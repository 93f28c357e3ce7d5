package import AppHealth
package import Tokens
package import Transport

/// Android vitals through the Google Play Developer Reporting API, v1beta1: one package as one app.
package struct PlayProvider: Provider {
    static let service = GoogleService(
        name: "play", usualBase: PlayConfiguration.usualBase,
        scope: "https://www.googleapis.com/auth/playdeveloperreporting",
        api: "Google Play Developer Reporting API",
        role: "View app quality information",
        permissionHint:
            "give the account 'View app quality information' for this app in the Play Console")

    private let configuration: PlayConfiguration
    private let sender: TokenSender

    /// A provider that sends with tokens of the account, which go to the configuration's origin only; providers
    /// that are given the same `tokens` share them.
    package init(
        _ configuration: PlayConfiguration, sender: some Sender, tokens: SharedTokens = SharedTokens(),
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.configuration = configuration
        let source = tokens.source(
            configuration.account, scopes: [Self.service.scope], sender: sender, now: now)
        self.sender = TokenSender(sender, origin: configuration.base.origin, tokens: source)
    }

    package var source: Source { playSource(configuration.id, measure: configuration.measure) }

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
        await outcome(of: PlayRun(configuration, sender: sender), at: now, \.parts) {
            run throws(ServiceFault) in
            try await run.snapshot(of: app, at: now)
        }
    }
}

/// What Android vitals count.
func playSource(_ id: Slug, measure: PlayMeasure) -> Source {
    Source(
        id: id, provider: PlayProvider.service.name,
        sessionDefinition: "Android vitals count no sessions.",
        userDefinition: """
            A user who had the app in active use that day; the service rounds their number to 10, 100, \
            1,000 or 1,000,000 and gives the share that met \(measure.words) they could see. The number of \
            those is worked out from both and rounded. Distinct within a day, never over days.
            """,
        zone: playZone, delay: ProviderDescriptor.play.delay,
        capabilities: ProviderDescriptor.play.capabilities,
        settling: SettlingAge(settlesAfterHours: 48, finalAfterHours: 168),
        hasExactCounts: false)
}
