package import AppHealth
import Diagnostics
import Settings
package import Transport

/// Mozilla's crash-stats (Socorro) through SuperSearch: one product as one app.
package struct SocorroProvider: Provider {
    static let name = "socorro"

    private let configuration: SocorroConfiguration
    private let sender: any Sender
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }

    /// A provider that sends as anybody, or with the token, which goes to the configuration's origin only.
    package init(_ configuration: SocorroConfiguration, sender: some Sender) throws(HeaderError) {
        self.configuration = configuration
        if let token = configuration.token {
            self.sender = try AuthenticatedClient(
                sender, origin: configuration.base.origin, credential: .header("Auth-Token", token))
        } else {
            self.sender = sender
        }
    }

    package var source: Source {
        Source(
            id: configuration.id, provider: Self.name,
            sessionDefinition:
                "Socorro holds crash reports alone: how many sessions there were cannot be known. Reports of hangs are no crashes.",
            userDefinition: """
                A user is an installation, identified by the second in which it was installed; the server counts \
                distinct ones approximately.
                """, zone: "UTC",
            delay: ProviderDescriptor.socorro.delay,
            capabilities: ProviderDescriptor.socorro.capabilities,
            settling: SettlingAge(settlesAfterHours: 0, finalAfterHours: 24),
            hasExactCounts: false, estimates: [.users, .issueUsers],
            issueTotals: .days(configuration.days), countsSteadyShare: configuration.isSampled)
    }

    package var terms: ServiceTerms? {
        var terms = ServiceTerms(
            .socorro, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
        if configuration.token != nil { terms.limit = RateLimit(1000, perSeconds: 60) }
        return terms
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let product = configuration.product
        // The days depend on the day of the fetch.
        let days = CivilDate(daysSinceEpoch: 0)...CivilDate(daysSinceEpoch: 1)
        let requests: [SocorroEndpoint] = [
            .signatures(product: product, days, size: configuration.facetSize),
            .versions(product: product, days, size: configuration.mostIssues),
        ]
        return requests.map { request in
            var planned = request.planned(below: configuration.base)
            planned.address = planned.address.replacing("\(days.lowerBound)", with: "{first day}")
                .replacing("\(days.upperBound.advanced(by: 1))", with: "{next day}")
            return planned
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let source = source
        return await outcome(
            of: SocorroRun(configuration: configuration, sender: sender, knownIssues: knownIssues),
            at: now, \.parts
        ) { run throws(ServiceFault) in try await run.snapshot(of: app, source: source, at: now) }
    }
}

extension ServiceProfile {
    /// Socorro's; it says nothing of how long to wait.
    static let socorro = ServiceProfile(
        provider: SocorroProvider.name,
        hints: [
            400: "write the product as the server names it, with its capitals",
            403: "make a new token on the server, or leave it out: counts are public",
            429: "wait a minute: the server admits 100 requests a minute, 1,000 with a token",
        ], halting: [401, 403, 429])
}

extension ProviderDescriptor {
    /// Mozilla's crash-stats (Socorro) through SuperSearch.
    package static let socorro = ProviderDescriptor(
        BlockSchema(
            "socorro", title: "Socorro",
            summary: "The crash reports of a product in Mozilla's crash-stats",
            keys: [
                .required("product", example: "Firefox", "the product, as the server names it").namingData(),
                .optional(
                    "signatures", .number(1...10_000), else: "1000",
                    "how many signatures of a day to request; the rest of the day is unknown"),
                .optional("url", else: SocorroConfiguration.usualBase, "URL of the server"),
                .optional(
                    "token", .secret(.variable), example: "SOCORRO_TOKEN",
                    "a token, for more requests a minute"
                ),
            ]),
        capabilities: [.issues, .issueDays], limit: RateLimit(100, perSeconds: 60),
        limitSource: "Socorro's settings: 100 requests a minute for an address, 1,000 with a token",
        delay: """
            A report counts on the day it was received; the current day is still filling, and of some channels the \
            server keeps only a part of the reports.
            """
    ) { setup in
        var configuration = try SocorroConfiguration(
            product: setup.required("product"), token: setup.secret("token")?.headerValue(),
            base: setup.required("url"), id: setup.id)
        configuration.facetSize = setup.number("signatures", else: configuration.facetSize)
        configuration.limits = setup.limits
        var provider = try SocorroProvider(configuration, sender: setup.sender)
        provider.knownIssues = setup.knownIssues
        return provider
    }
}

/// What is needed to query a Socorro server's SuperSearch about one product. Its counts are public: a token is
/// not needed, it only admits more requests.
package struct SocorroConfiguration: Sendable {
    /// Mozilla's own server.
    package static let usualBase = "https://crash-stats.mozilla.org"

    /// Where the server is; a path in it stays.
    package var base: Address
    /// The product as the server names it, such as `Fenix`.
    package var product: String
    /// A token for more than 100 requests a minute; nil sends requests without one.
    package var token: Secret?
    /// The name of the source within its app.
    package var id: Slug
    /// How many signatures become issues, those with most crash reports first.
    package var mostIssues = 200
    /// How many signatures of each of the last days become issues too, those with most crash reports of the day.
    package var mostIssuesOfDay = 50
    /// How many these days are, the current one included.
    package var latelyDays = 8
    /// How many signatures of one day are requested; the server gives at most 10,000.
    package var facetSize = 1000
    /// How many days are requested, the current one included.
    package var days = 28
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 10
    /// Whether the server keeps only a part of the product's reports: of desktop Firefox about a tenth.
    var isSampled: Bool { product == "Firefox" }
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address.
    package init(
        product: String, token: Secret? = nil, base: String = usualBase,
        id: Slug = Slug(anyText: "socorro")
    ) throws(AddressError) {
        self.base = try Address(base)
        self.product = product
        self.token = token
        self.id = id
    }
}
