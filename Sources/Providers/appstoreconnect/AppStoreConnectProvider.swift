package import AppHealth
import Tokens
package import Transport

/// App Store Connect through its API: the analytics reports and builds of one app.
package struct AppStoreConnectProvider: Provider {
    static let name = "appstoreconnect"

    private let configuration: AppStoreConnectConfiguration
    private let sender: TokenSender
    private let plainSender: any Sender
    private let kept: KeptBytes?

    /// A provider that signs its own tokens, which go to the configuration's origin only; the files of reports
    /// lie elsewhere and are asked for without any, and those that were read before are taken from `kept`.
    package init(
        _ configuration: AppStoreConnectConfiguration, sender: some Sender, kept: KeptBytes? = nil,
        now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.configuration = configuration
        self.kept = kept
        let tokens = TokenSource(
            configuration.signer,
            claims: ["iss": .text(configuration.issuer), "aud": .text("appstoreconnect-v1")],
            lifetime: AppStoreConnectConfiguration.tokenLifetime, now: now)
        self.sender = TokenSender(sender, origin: configuration.base.origin, tokens: tokens)
        plainSender = sender
    }

    package var source: Source {
        Source(
            id: configuration.id, provider: Self.name,
            sessionDefinition: """
                A session is the use of the app for at least two seconds; coming back from the background begins \
                another one. Only of people who share analytics with app developers, and only where at least five \
                of them are. How many sessions crashed is not told.
                """,
            userDefinition: """
                Active users are distinct devices of a day, given only where each kind of device has one row: \
                devices of several rows are never added up. New users are installs of first-time downloads. Only \
                of people who share analytics with app developers.
                """,
            zone: "UTC",
            delay: ProviderDescriptor.appstoreconnect.delay,
            capabilities: ProviderDescriptor.appstoreconnect.capabilities)
    }

    package var terms: ServiceTerms? {
        var terms = ServiceTerms(
            .appstoreconnect, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
        if configuration.createsReportRequest { terms.permissions = ["Admin"] }
        return terms
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let reports = AppStoreConnectReport.allCases.count
        let (pages, instances) = (configuration.mostPages, configuration.mostInstances)
        let isID = isAppleID(configuration.app)
        let id = isID ? configuration.app : "{app}"
        var requests: [(endpoint: AppStoreConnectEndpoint, most: Int)] = [
            (.reportRequests(app: id), pages), (.reports(request: "{request}"), pages),
            (.instances(report: "{report}"), reports * pages),
            (.segments(instance: "{instance}"), reports * instances), (.builds(app: id), pages),
        ]
        if configuration.createsReportRequest { requests.insert((.newReportRequest, 1), at: 1) }
        if !isID { requests.insert((.apps(bundleID: configuration.app), 1), at: 0) }
        let planned = requests.map { request in
            PlannedRequest(
                request.endpoint.method.rawValue, request.endpoint.text(below: configuration.base),
                purpose: request.endpoint.part, most: request.most)
        }
        let files = PlannedRequest(
            "GET", "{segment}", purpose: "the files of reports, from where they lie, without a token",
            most: reports * instances)
        return planned + [files]
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let start = ContinuousClock.now
        var run = AppStoreConnectRun(
            AppStoreConnectRequests(configuration, sender: sender, plainSender: plainSender, kept: kept),
            at: now)
        var outcome = FetchOutcome()
        do throws(ServiceFault) {
            outcome.snapshots = [try await run.snapshot(of: app, source: source, at: now)]
        } catch {
            outcome.failures = [FetchOutcome.Failure(at: now, why: error.diagnostic)]
        }
        outcome.requests = run.requests.used
        outcome.milliseconds = start.duration(to: .now).milliseconds
        return outcome
    }
}
