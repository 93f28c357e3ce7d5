package import AppHealth
import Diagnostics
package import Transport

/// Mozilla's crash-stats (Socorro) through SuperSearch: one product as one app.
package struct SocorroProvider: Provider {
    static let name = "socorro"

    private let configuration: SocorroConfiguration
    private let sender: any Sender

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
                "Socorro holds crash reports alone: how many sessions there were cannot be known.",
            userDefinition: "Socorro does not tell users apart.", zone: "UTC",
            delay: ProviderDescriptor.socorro.delay,
            capabilities: ProviderDescriptor.socorro.capabilities,
            settling: SettlingAge(settlesAfterHours: 0, finalAfterHours: 24),
            hasExactCounts: false)
    }

    package var terms: ServiceTerms? {
        var terms = ServiceTerms(
            .socorro, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
        if configuration.token != nil { terms.limit = RateLimit(1000, perSeconds: 60) }
        return terms
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let product = configuration.product
        let requests: [SocorroEndpoint] = [
            .signatures(product: product, from: "{date}", size: configuration.facetSize),
            .versions(product: product, from: "{date}", size: configuration.mostIssues),
        ]
        return requests.map { $0.planned(below: configuration.base) }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let source = source
        return await outcome(
            of: SocorroRun(configuration: configuration, sender: sender), at: now, \.parts
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
