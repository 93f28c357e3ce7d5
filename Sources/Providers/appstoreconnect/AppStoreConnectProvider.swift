package import AppHealth
import Diagnostics
import Settings
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
    /// lie elsewhere and are requested without any, and those that were read before are taken from `kept`.
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
                of them are. How many sessions crashed is not reported.
                """,
            userDefinition: """
                Active users are distinct devices of a day, given only where a report has one row for each kind of \
                device and no other division: devices of several rows are never added up, and rows of few devices \
                are missing. New users are installs of first-time downloads. Only \
                of people who share analytics with app developers.
                """,
            zone: "UTC",
            delay: ProviderDescriptor.appstoreconnect.delay,
            capabilities: ProviderDescriptor.appstoreconnect.capabilities,
            settling: SettlingAge(settlesAfterHours: 120, finalAfterHours: 336),
            hasExactCounts: false, countsSteadyShare: true)
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
        if configuration.createsReportRequest { requests.insert((.newReportRequest([]), 1), at: 1) }
        if !isID { requests.insert((.apps(bundleID: configuration.app), 1), at: 0) }
        let planned = requests.map { $0.endpoint.planned(below: configuration.base, most: $0.most) }
        let files = PlannedRequest(
            "GET", "{segment}", purpose: "the files of reports, from where they lie, without a token",
            most: reports * instances)
        return planned + [files]
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let source = source
        let run = AppStoreConnectRun(
            configuration, sender: sender, plainSender: plainSender, kept: kept, at: now)
        return await outcome(of: run, at: now, \.parts) { run throws(ServiceFault) in
            try await run.snapshot(of: app, source: source, at: now)
        }
    }
}

extension ServiceProfile {
    /// App Store Connect's.
    static let appStoreConnect = ServiceProfile(
        provider: AppStoreConnectProvider.name,
        hints: [
            401: """
            look whether the key was revoked, whether issuer and key id belong to it, and set this machine's \
            clock: tokens are made for the minute
            """,
            403: """
            give the key the role Sales and Reports or Finance to read, Admin to create a report request, and \
            see in App Store Connect whether an agreement waits to be accepted
            """,
            404: "check the app in the configuration; the key may not see it",
            409: """
            fetch again later; if it stays so, see in App Store Connect whether the app has a report request already, \
            and whether an agreement waits to be accepted
            """,
            429: "wait, or fetch less often: a key has 3,600 requests an hour, and fewer in a short time",
        ],
        explain: { _, response in
            RefusalExplanation(
                said: AppStoreConnectErrors.texts(in: response.body).map {
                    printable(String(response.redaction.masked($0).prefix(400)))
                })
        }, countsRetries: true, limitFields: .appStoreConnect,
        budgetHint: "fetch again later; what was read is kept in the archive",
        foreignHint: "report this: a list of App Store Connect goes on at another host")
}

extension RateLimitFields {
    /// `X-Rate-Limit: user-hour-lim:3600;user-hour-rem:3121;`
    static let appStoreConnect = RateLimitFields(
        remaining: [Field("X-Rate-Limit", member: "user-hour-rem")])
}

extension ProviderDescriptor {
    /// App Store Connect: analytics reports and builds.
    package static let appstoreconnect = ProviderDescriptor(
        BlockSchema(
            "appstoreconnect", title: "App Store Connect",
            summary: "The analytics reports and builds of an app in App Store Connect",
            keys: [
                .required("app", example: "1234567890", "the Apple ID, or the bundle id").namingData(),
                .required(
                    "issuer", .textOrVariable, example: "57246542-96fe-1a63-e053-0824d011072a",
                    "issuer id of the team's keys"),
                .required("keyId", .textOrVariable, example: "2X9R4HXF34", "id of the key"),
                .required(
                    "key", .secret(.file), example: "AuthKey_2X9R4HXF34.p8",
                    "the private key; never commit it"),
                .optional(
                    "createReportRequest", .flag, else: "false", example: "true",
                    "once, with an Admin key: requests reports of the app from Apple"),
                .optional("url", else: AppStoreConnectConfiguration.usualBase, "URL of the API"),
            ]),
        capabilities: [.usage, .releases, .issues, .issueDays], permissions: ["Sales and Reports"],
        limit: RateLimit(3600, perSeconds: 3600),
        limitSource: "App Store Connect API, rate limits: per key and hour, reported as X-Rate-Limit",
        delay: """
            The first report comes one to two days after the report request; a day is complete after two to five \
            days, until then it may still grow.
            """
    ) { setup in
        var configuration = try AppStoreConnectConfiguration(
            app: setup.required("app"), issuer: setup.required("issuer"), keyID: setup.required("keyId"),
            key: setup.requiredSecret("key").text, base: setup.required("url"), id: setup.id)
        configuration.createsReportRequest = setup.flag("createReportRequest")
        configuration.limits = setup.limits
        return AppStoreConnectProvider(configuration, sender: setup.sender, kept: setup.kept)
    }
}
