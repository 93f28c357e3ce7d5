package import AppHealth
import Settings
package import Tokens
package import Transport

/// BigQuery: the events of an app are counted there, and days come back.
package struct BigQueryProvider: Provider {
    static let service = GoogleService(
        name: "bigquery", usualBase: BigQueryConfiguration.usualBase,
        scope: "https://www.googleapis.com/auth/cloud-platform.read-only", api: "BigQuery API",
        role: "BigQuery Job User on the project, BigQuery Data Viewer on the datasets",
        permissionHint:
            "give the account the roles BigQuery Job User in the project and BigQuery Data Viewer on the datasets"
    )
    /// The scope for the end of a query, which the one that only reads does not hold.
    static let endingScope = "https://www.googleapis.com/auth/bigquery"

    let configuration: BigQueryConfiguration
    private let sender: TokenSender
    /// Sends what ends a query.
    private let endingSender: TokenSender
    let kept: KeptBytes?

    /// A provider that sends with tokens of the account, which go to the configuration's origin only; providers
    /// that are given the same `tokens` share them.
    package init(
        _ configuration: BigQueryConfiguration, sender: some Sender, tokens: SharedTokens = SharedTokens(),
        kept: KeptBytes? = nil, now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.configuration = configuration
        self.kept = kept
        func sending(_ scope: String) -> TokenSender {
            let source = tokens.source(configuration.account, scopes: [scope], sender: sender, now: now)
            return TokenSender(sender, origin: configuration.base.origin, tokens: source)
        }
        self.sender = sending(Self.service.scope)
        endingSender = sending(Self.endingScope)
    }

    package var source: Source {
        let capabilities = Set(configuration.queries(.assumed).keys).capabilities
        return Source(
            id: configuration.id, provider: Self.service.name,
            sessionDefinition: configuration.firebase.map { _ in
                BigQuerySessionOrigin.eitherDefinition
            } ?? """
                A session is a row of the tables in the warehouse, counted once by its id however often it was \
                written; it crashed when any of its rows or a crash says so.
                """,
            userDefinition: configuration.firebase.map { _ in
                """
                A user is one installation of the app, distinct within a day, a week or 28 days and counted \
                \(configuration.counting.words). Users and events of an issue are those of 28 days.
                """
            } ?? """
                A user is the id in the tables, distinct within a day, a week or 28 days and counted \
                \(configuration.counting.words); rows that name no user count for no user, and where all do so users \
                are unknown. Users and events of an issue are those of 28 days.
                """,
            zone: configuration.zone, delay: ProviderDescriptor.bigquery.delay,
            capabilities: capabilities,
            settling: .warehouse(revising: configuration.days),
            hasExactCounts: configuration.counting == .exact,
            issueTotals: .days(WarehouseWindow.recentDays),
            statesWholeDays: capabilities.showCutDays, countsPartsApart: true,
            datesReleasesByDay: true)
    }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .bigquery, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func missingPermissions(in refusal: Response) -> [String] {
        googleMissingPermissions(in: refusal, of: Self.service)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let project = configuration.project
        let tables = configuration.exportCalls.map { (call: $0.call, most: 1) }
        let queries = WarehouseQuery.allCases.filter { configuration.queries(.assumed)[$0] != nil }.map {
            (
                call: ServiceCall.google(["projects", project, "queries"], body: [], part: $0.part),
                most: configuration.attempts
            )
        }
        let results = (
            call: ServiceCall.google(["projects", project, "queries", "{job}"], part: "results by page"),
            most: configuration.mostRequests
        )
        return Self.service.plan(
            tables + queries + [results], below: configuration.base, account: configuration.account)
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let source = source
        return await outcome(of: run(app, at: now, kept: kept), at: now, \.parts) {
            run throws(ServiceFault) in try await run.snapshot(of: source)
        }
    }

    func run(_ app: App, at now: Instant, kept: KeptBytes?) -> BigQueryRun {
        BigQueryRun(
            configuration, sender: sender, endingSender: endingSender, app: app, now: now, kept: kept)
    }
}

extension ProviderDescriptor {
    /// BigQuery.
    package static let bigquery = ProviderDescriptor(
        BlockSchema(
            "bigquery", title: "BigQuery",
            summary: "Events in tables of BigQuery, such as Firebase exports, which counts them itself",
            keys: [
                .required(
                    "project", example: "my-project", "the project that runs the queries and pays for them"),
                .optional(
                    "preset", .choice(["firebase"]), example: "firebase", "the tables that Firebase exports"),
                .optional(
                    "app", example: "org.example.sketchbook",
                    "package name or bundle id; for other tables, what they call the app; default: the app's id"
                ),
                .optional(
                    "platform", .choice(BigQueryFirebase.Platform.allCases.map(\.rawValue)),
                    example: "android",
                    "the app's platform, for the preset"),
                .optional(
                    "datasets", .names(BigQueryFirebase.datasetWords),
                    example: "{analytics: analytics_123456789}",
                    "the datasets of the preset; default: firebase_crashlytics and firebase_sessions"),
                .optional("dataProject", example: "my-data", "the project of the datasets; default: project"),
                .optional(
                    "sessions", .names(BigQueryTables.sessionWords),
                    example: "{table: health.sessions, time: started_at, session: id, crashed: crashed}",
                    "a table of sessions and its columns"),
                .optional(
                    "crashes", .names(BigQueryTables.crashWords),
                    example: "{table: health.crashes, time: at, event: id, issue: fingerprint}",
                    "a table of crashes and its columns"),
                .optional("sql", .path, example: "queries", "a folder with queries, one file for each"),
                .optional(
                    "location", example: "EU", "where the datasets are; default: the service finds out"),
                .optional(
                    "distinct", .choice(WarehouseDistinct.allCases.map(\.rawValue)), else: "exact",
                    "how different sessions and users are counted: exact, or approximate with less work"),
                .optional("zone", else: "UTC", "the time zone of the days"),
                .optional(
                    "days", .number(1...400), else: "14", "how many past days are requested again each time"),
                .optional(
                    "history", .number(1...400), else: "90", "how many days are requested the first time"),
                .optional(
                    "issues", .number(1...1000), else: "200",
                    "the most issues: crashes and hangs before handled errors, then those with most users"),
                .optional(
                    "seconds", .number(5...3600), else: "120", "the most seconds of one query at the service"),
                .optional(
                    "maximumBytes", .number(1...Int.max >> 11), else: "100000000000",
                    "the most bytes that one query may be billed for"),
                .optional(
                    "price", example: "6.25 USD", "what reading 2^40 bytes costs, for 'fetch --cost'"),
                .optional("url", else: BigQueryConfiguration.usualBase, "URL of the API"),
                .optional(
                    "plainHTTP", .flag, else: "false",
                    "whether another machine may be reached without TLS, for an emulator in a private network"
                ),
                .googleAccount,
            ]),
        capabilities: [
            .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .hours, .usage,
        ],
        permissions: BigQueryProvider.service.permissions,
        limitSource: "BigQuery quotas: 100 requests a second for a user, far more than a fetch sends",
        delay:
            "That of the export or of the job that fills the tables; past days are requested again for two weeks."
    ) { setup in
        try BigQueryProvider(
            BigQueryConfiguration(setup), sender: setup.sender, tokens: setup.shared.tokens, kept: setup.kept)
    }.checking(BigQueryConfiguration.check)
}
