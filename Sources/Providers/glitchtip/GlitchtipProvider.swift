package import AppHealth
import Settings
package import Transport

/// GlitchTip through the part of Sentry's web API that it serves: the issues of one project as one app.
package struct GlitchtipProvider: Provider {
    static let name = "glitchtip"

    private let configuration: GlitchtipConfiguration
    private let sender: AuthenticatedClient

    /// A provider that sends with the token, which goes to the configuration's origin only.
    package init(_ configuration: GlitchtipConfiguration, sender: some Sender) throws(HeaderError) {
        self.configuration = configuration
        self.sender = try AuthenticatedClient(
            sender, origin: configuration.base.origin, credential: .bearer(configuration.token))
    }

    package var source: Source { glitchtipSource(configuration) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .glitchtip, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func grantedPermissions() async -> [String]? {
        await sentryGrantedScopes(
            below: configuration.base, limits: configuration.limits, sender: sender)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let organization = configuration.organization
        let detailed = max(0, configuration.mostDetailedIssues)
        func issues(_ sort: String) -> GlitchtipEndpoint {
            .issues(
                organization: organization, project: "{project}", environment: configuration.environment,
                sort: sort)
        }
        let requests: [(endpoint: GlitchtipEndpoint, most: Int)] = [
            (.projects(organization: organization), configuration.mostProjectPages),
            (issues("-count"), configuration.mostPages), (issues("-last_seen"), configuration.mostPages),
            (
                .issueStats(organization: organization, issues: ["{issue}"]),
                configuration.mostPages
            ),
            (
                .totals(
                    organization: organization, project: "{project}", first: CivilDate(daysSinceEpoch: 0),
                    end: Instant(secondsSinceEpoch: 0)), configuration.environment == nil ? 1 : 0
            ),
            (.releases(organization: organization, project: "{project}"), configuration.mostPages),
            (.latestEvent(issue: "{issue}"), detailed),
            (.comments(issue: "{issue}"), max(0, configuration.mostRequests - 2)),
            (.tags(issue: "{issue}", key: .user), configuration.mostTaggedIssues),
            (.tags(issue: "{issue}", key: .release), configuration.mostTaggedIssues),
        ]
        return requests.filter { $0.most > 0 }.map { endpoint, most in
            var planned = endpoint.planned(below: configuration.base, most: most)
            planned.address = planned.address
                .replacing("start=1970-01-01T00:00:00Z", with: "start={first day}T00:00:00Z")
                .replacing("end=1970-01-01T00:00:00Z", with: "end={now}")
            return planned
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        await outcome(
            of: GlitchtipRun(configuration: configuration, sender: sender, now: now), at: now, \.parts
        ) { run throws(ServiceFault) in try await run.snapshot(of: app) }
    }
}

/// What GlitchTip knows: no sessions and no users by day, whatever the environment.
func glitchtipSource(_ configuration: GlitchtipConfiguration) -> Source {
    let environment =
        configuration.environment.map {
            " Issues are those of environment '\($0)'; their counts are of all environments."
        } ?? ""
    return Source(
        id: configuration.id, provider: GlitchtipProvider.name,
        sessionDefinition: "The service counts no sessions.",
        userDefinition: """
            A user of an issue is the id that the app sets; distinct over the events that the server keeps; events \
            without a user are not counted.\(environment)
            """,
        zone: "UTC", delay: ProviderDescriptor.glitchtip.delay,
        capabilities: ProviderDescriptor.glitchtip.capabilities,
        hasExactCounts: false, issueTotals: .lifetime)
}

extension GlitchtipConfiguration {
    func client(at now: Instant, over sender: AuthenticatedClient) -> ServiceClient {
        ServiceClient(
            .sentryAPI(GlitchtipProvider.name, at: now, hint: hint), base: base, limits: limits,
            most: mostRequests,
            over: .sender(sender))
    }
}

/// What to do about a refusal of GlitchTip's; it serves some unknown paths with a web page and a 500.
private func hint(_ error: HTTPStatusError) -> String? {
    let isPage = error.excerpt.lowercased().hasPrefix("<!doctype") || error.excerpt.hasPrefix("<html")
    return switch error.status {
    case 401: "make a new auth token in GlitchTip under Profile, Auth Tokens"
    case 403: "give the token the scopes org:read, project:read and event:read"
    case 404 where isPage, 500 where isPage:
        "check the address and the organization: the server returns a page for unknown paths"
    case 404: "check organization and project"
    case 422: "check whether the server is newer than this program; it refused the query"
    default: nil
    }
}

extension ProviderDescriptor {
    /// GlitchTip, through the part of Sentry's web API that it serves.
    package static let glitchtip = ProviderDescriptor(
        BlockSchema(
            "glitchtip", title: "GlitchTip", summary: "The issues of a project of a GlitchTip server",
            keys: [
                .required("organization", example: "acme", "slug of the organization").namingData(),
                .required("project", example: "my-app", "slug, name or id of the project").namingData(),
                .optional(
                    "environment", example: "production", "the environment to report; without it, all"),
                .optional(
                    "url", else: GlitchtipConfiguration.usualBase, example: "https://host",
                    "URL of the server"),
                .optional(
                    "requests", .number(20...5000), else: "150",
                    "the most requests of one fetch; issues with most events get theirs first"),
                .required("token", .secret(.variable), example: "GLITCHTIP_TOKEN", "an auth token"),
            ]),
        capabilities: [.releases, .issues, .issueDays, .notes], permissions: sentryScopes,
        limitSource: "GlitchTip documents no number; Retry-After is heeded",
        delay: "The service states none."
    ) { setup in
        var configuration = try GlitchtipConfiguration(
            organization: setup.required("organization"), project: setup.required("project"),
            token: setup.token(), base: setup.required("url"), environment: setup.text("environment"),
            id: setup.id)
        configuration.mostRequests = setup.number("requests", else: configuration.mostRequests)
        configuration.limits = setup.limits
        configuration.knownIssues = setup.knownIssues
        return try GlitchtipProvider(configuration, sender: setup.sender)
    }
}

/// What is needed to query a GlitchTip server about one project; never without a token.
package struct GlitchtipConfiguration: Sendable {
    /// The service of its makers; most servers are a team's own.
    package static let usualBase = "https://app.glitchtip.com"

    /// Where the API is: `https://host/api/0`.
    package var base: Address
    /// The organization's slug.
    package var organization: String
    /// The project's slug, id or name.
    package var project: String
    /// The environment that is reported; nil for all together.
    package var environment: String?
    /// An auth token with the scopes `org:read`, `project:read` and `event:read`.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 150
    /// The most pages of the list of projects.
    package var mostProjectPages = 10
    /// For how many issues users and versions are requested, two requests each.
    package var mostTaggedIssues = 30
    /// The most pages of each list of issues, of 100 elements each.
    package var mostPages = 3
    /// For how many issues the code location is requested, one by one.
    package var mostDetailedIssues = 10
    /// What one request may cost.
    package var limits = Limits()
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }

    /// Makes a configuration; throws when the base is no address. `/api/0` may stand in the base or not.
    package init(
        organization: String, project: String, token: Secret, base: String = usualBase,
        environment: String? = nil, id: Slug = Slug(anyText: "glitchtip")
    ) throws(AddressError) {
        self.base = try Address(base).sentryAPIRoot()
        self.organization = organization
        self.project = project
        self.environment = environment
        self.token = token
        self.id = id
    }
}
