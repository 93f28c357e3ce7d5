package import AppHealth
import Foundation
import Settings
package import Transport

/// Bugsink through its canonical API: one project as one app.
package struct BugsinkProvider: Provider {
    static let name = "bugsink"

    private let configuration: BugsinkConfiguration
    private let sender: AuthenticatedClient
    /// What the source provided in its last run.
    var providedBefore: @Sendable () -> Set<Capability> = { [] }
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }
    /// When the source was last read.
    var lastFetch: @Sendable () -> LastFetch = { .unknown }

    /// A provider that sends with the token, which goes to the configuration's origin only.
    package init(_ configuration: BugsinkConfiguration, sender: some Sender) throws(HeaderError) {
        self.configuration = configuration
        self.sender = try AuthenticatedClient(
            sender, origin: configuration.base.origin, credential: .bearer(configuration.token))
    }

    package var source: Source { bugsinkSource(configuration.id) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .bugsink, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let (pages, issues) = (configuration.mostPages, configuration.mostIssues)
        let requests: [(endpoint: BugsinkEndpoint, most: Int)] = [
            (.projects, pages), (.issues(project: "{project}"), pages),
            (.issues(project: "{project}", .lastSeen), pages),
            (.releases(project: "{project}"), pages),
            (.totals(project: "{project}", start: "{start}"), 1),
            (.unhandledIssues(project: "{project}"), pages),
            (.unhandledIssues(project: "{project}", .lastSeen), pages), (.handled(issue: "{issue}"), 1),
            (.eventCounts(issue: "{issue}", start: "{start}"), configuration.mostRequests),
            (.events(issue: "{issue}"), issues),
            (.event("{event}"), issues), (.users(issue: "{issue}"), issues),
            (.history(issue: "{issue}"), issues),
        ]
        return requests.map { $0.endpoint.planned(below: configuration.base, most: $0.most) }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        await outcome(
            of: BugsinkRun(
                configuration: configuration, sender: sender, providedBefore: providedBefore,
                knownIssues: knownIssues, lastFetch: lastFetch),
            at: now, \.parts
        ) { run throws(ServiceFault) in try await run.snapshot(of: app, at: now) }
    }
}

/// What Bugsink counts.
func bugsinkSource(_ id: Slug) -> Source {
    Source(
        id: id, provider: BugsinkProvider.name,
        sessionDefinition:
            "Bugsink drops the sessions that apps send: how many were free of crashes cannot be known.",
        userDefinition: """
            A user of an issue is the id that the app sets, otherwise the user name, e-mail address or IP address; \
            distinct over the life of the issue; events that name no user are not counted.
            """,
        zone: "UTC", delay: ProviderDescriptor.bugsink.delay,
        capabilities: ProviderDescriptor.bugsink.capabilities,
        settling: SettlingAge(settlesAfterHours: 0, finalAfterHours: 24),
        hasExactCounts: false, issueTotals: .lifetime)
}

extension ServiceProfile {
    /// Bugsink's.
    static let bugsink = ServiceProfile(
        provider: BugsinkProvider.name,
        hints: [
            401: "write the token as Bugsink shows it: 40 characters of 0-9 and a-f",
            403: "give the token the permissions \(bugsinkRights.joined(separator: ", "))",
            404: "check that the URL is a Bugsink server and the project still exists",
        ],
        explain: { error, _ in
            guard error.status == 403, let right = bugsinkRight(for: error.address) else { return .init() }
            return .init(hints: ["give the token the permission \(right), for this project"])
        },
        budgetHint: "raise 'requests' of the source",
        foreignHint: "set BASE_URL in Bugsink's configuration to the URL used here")
}

/// What a token must be allowed, by the names that Bugsink gives it.
let bugsinkRights = ["projects:read", "issues:read", "events:read", "releases:read"]

/// The right that an address of the API needs; nil for an address of another form.
func bugsinkRight(for address: String) -> String? {
    let path = address.prefix { $0 != "?" }
    guard let start = path.range(of: "/api/canonical/0/")?.upperBound else { return nil }
    let parts = path[start...].split(separator: "/")
    return switch (parts.first, parts.last) {
    case ("projects", _): "projects:read"
    case ("issues", "tags"), ("events", _): "events:read"
    case ("issues", _), ("issue-history", _): "issues:read"
    case ("releases", _): "releases:read"
    default: nil
    }
}

extension ProviderDescriptor {
    /// Bugsink through its canonical API.
    package static let bugsink = ProviderDescriptor(
        BlockSchema(
            "bugsink", title: "Bugsink", summary: "The issues of a project of a Bugsink server",
            keys: [
                .required("project", example: "my-app", "slug, name or id of the project").namingData(),
                .required("url", example: "https://host", "URL of the server").namingData(.host),
                .optional(
                    "requests", .number(20...5000), else: "300",
                    "the most requests of one fetch; issues with most events get theirs first"),
                .required("token", .secret(.variable), example: "BUGSINK_TOKEN", "an auth token"),
            ]),
        capabilities: [.releases, .issues, .issueDays, .notes],
        permissions: bugsinkRights,
        limitSource: "Bugsink has no limit on reading",
        delay: "None; an event counts in the hour in which it was digested."
    ) { setup in
        var configuration = try BugsinkConfiguration(
            project: setup.required("project"), token: setup.token(), base: setup.required("url"),
            id: setup.id)
        configuration.mostRequests = setup.number("requests", else: configuration.mostRequests)
        configuration.limits = setup.limits
        var provider = try BugsinkProvider(configuration, sender: setup.sender)
        provider.providedBefore = setup.providedBefore
        provider.knownIssues = setup.knownIssues
        provider.lastFetch = setup.lastFetch
        return provider
    }
}

/// What is needed to query a Bugsink server's canonical API about one project; never without a token.
package struct BugsinkConfiguration: Sendable {
    /// Where the server is; a path in it stays.
    package var base: Address
    /// The project's id, slug or name.
    package var project: String
    /// An auth token. Before 2.6 each one reads all projects; since then it has rights, and may be of one project.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// The most requests of one fetch, besides retries; the server has no limit of its own.
    package var mostRequests = 300
    /// The most pages of a list; a page holds 250 elements.
    package var mostPages = 4
    /// For how many issues an event, users and notes are requested; their days are requested as far as the requests last.
    package var mostIssues = 30
    /// How many days of issues and of the project are requested, the current one included; the server keeps 90.
    package var days = 28
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address. There is no usual base: who runs Bugsink runs
    /// it themselves.
    package init(
        project: String, token: Secret, base: String, id: Slug = Slug(anyText: "bugsink")
    ) throws(AddressError) {
        self.base = try Address(base)
        self.project = project
        self.token = token
        self.id = id
    }
}
