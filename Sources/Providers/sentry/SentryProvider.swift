package import AppHealth
import Settings
package import Transport

/// Sentry, the service or a server of one's own, through its web API: one project as one app.
package struct SentryProvider: Provider {
    static let name = "sentry"

    private let configuration: SentryConfiguration
    private let sender: AuthenticatedClient
    private let kept: KeptBytes?
    private let stored: SentryStored

    /// A provider that sends with the token, which goes to the configuration's origin only.
    ///
    /// - Parameters:
    ///   - describedBefore: the source as its last run described it.
    ///   - knownIssues: the issues that are stored of it, with their days.
    package init(
        _ configuration: SentryConfiguration, sender: some Sender, kept: KeptBytes? = nil,
        describedBefore: @escaping @Sendable () -> Source? = { nil },
        knownIssues: @escaping @Sendable () -> KnownIssues = { KnownIssues() }
    ) throws(HeaderError) {
        self.configuration = configuration
        self.kept = kept
        stored = SentryStored(source: describedBefore, issues: knownIssues)
        self.sender = try AuthenticatedClient(
            sender, origin: configuration.base.origin, credential: .bearer(configuration.token))
    }

    package var source: Source { sentrySource(configuration) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .sentry, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func grantedPermissions() async -> [String]? {
        await sentryGrantedScopes(
            below: configuration.base, limits: configuration.limits, sender: sender)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let organization = configuration.organization
        let scope = configuration.scope(project: "{project}")
        var everywhere = scope
        everywhere.environment = nil
        // The days depend on the day of the fetch.
        let days = DaySpan(days: configuration.days, endingOn: CivilDate(daysSinceEpoch: 0))
        let day = CivilDate(daysSinceEpoch: 400)
        let hours = sentryHours(before: Instant(startOf: CivilDate(daysSinceEpoch: 0)))
        let detailed = max(0, configuration.mostDetailedIssues)
        let requests: [(endpoint: SentryEndpoint, most: Int)] = [
            (.projects(organization: organization), configuration.mostProjectPages + 1),
            (.project(configuration.project, organization: organization), 1),
            (.releases(scope), configuration.mostPages),
            (.sessions(.statuses(byRelease: false), days, scope), 1),
            (.sessions(.users(byRelease: false), days, scope), 1),
            (.issues(days, scope), configuration.mostPages),
            (.eventsOfDay(day, scope), 5), (.issuesOfDay(day, scope), configuration.userDays),
            (.sessions(.users(byRelease: true), days, scope), configuration.mostSessionRequests),
            (.sessions(.statuses(byRelease: true), days, scope), configuration.mostSessionRequests),
            (.sessions(.usersOfSpan, days, scope), 2),
            (.issue("{issue}", organization: organization), detailed),
            (.latestEvent(issue: "{issue}", organization: organization), detailed),
            (.sessionsByHour(hours, scope), 1),
            (.issuesByHour(scope), 1), (.crashTable(days, scope), 1), (.crashSeries(days, scope), 1),
            (.releaseTable(day, scope), configuration.userDays), (.issuesByID(["{issue}"], scope), 1),
            (.sessions(.environments, days, everywhere), 1),
        ]
        return requests.map { request in
            let text = request.endpoint.text(below: configuration.base)
                .replacing("\(days.first)", with: "{first day}").replacing(
                    "\(days.last)", with: "{last day}"
                )
                .replacing("\(days.last.advanced(by: 1))", with: "{next day}")
                .replacing("\(day)", with: "{day}").replacing("\(day.advanced(by: 1))", with: "{next day}")
                .replacing("\(hours.lowerBound)".dropLast(7), with: "{first hour}")
                .replacing("\(hours.upperBound)".dropLast(7), with: "{last hour}")
            return PlannedRequest("GET", text, purpose: request.endpoint.part, most: request.most)
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        await outcome(
            of: SentryRun(
                configuration: configuration, sender: sender, kept: kept, stored: stored, now: now),
            at: now, \.parts
        ) { run throws(ServiceFault) in try await run.snapshot(of: app) }
    }
}

/// What Sentry counts, in the environment that its figures are about.
func sentrySource(_ configuration: SentryConfiguration) -> Source {
    let environment =
        configuration.environment.map { "environment '\($0)'" } ?? "all environments together"
    return Source(
        id: configuration.id, provider: SentryProvider.name,
        sessionDefinition: """
            A session is one run of the app as its SDK reports it; crashed are those with the status 'crashed'. \
            Sessions that are errored, abnormal or unhandled count as not crashed; \(environment).
            """,
        userDefinition: """
            A user is the id that the SDK sends, otherwise one installation; distinct within a day, never over \
            days. Crashed users are worked out from the service's rate of crash-free users and rounded to whole \
            users; \(environment).
            """,
        zone: "UTC", delay: ProviderDescriptor.sentry.delay,
        capabilities: ProviderDescriptor.sentry.capabilities,
        hasExactCounts: false, issueTotals: .days(sentryListDays))
}

extension SentryConfiguration {
    func scope(project: String) -> SentryScope {
        SentryScope(organization: organization, project: project, environment: environment)
    }

    func client(at now: Instant, over sender: AuthenticatedClient) -> ServiceClient {
        ServiceClient(
            .sentryAPI(SentryProvider.name, at: now, hint: hint), base: base, limits: limits,
            most: mostRequests,
            over: .sender(sender))
    }
}

/// What to do about a refusal of Sentry's.
private func hint(_ error: HTTPStatusError) -> String? {
    switch error.status {
    case 401 where error.excerpt.contains("sso-required"):
        "authorize the token for the organization's single sign-on"
    case 401:
        """
        make a new personal token, or token of an internal integration, with the scopes org:read, project:read and \
        event:read, and store it where 'token' or 'tokenFile' of the source reads it
        """
    case 403:
        """
        use a personal token, or the token of an internal integration, with the scopes org:read, project:read and \
        event:read; an organization token cannot read issues
        """
    case 404:
        "check organization, project and environment; Sentry returns 404 when the token has no access"
    case 429: "wait until the time above, or fetch less often"
    default: nil
    }
}

extension ProviderDescriptor {
    /// Sentry, the service or a server of one's own.
    package static let sentry = ProviderDescriptor(
        BlockSchema(
            "sentry", title: "Sentry", summary: "A project of Sentry, hosted or self-hosted",
            keys: [
                .required("organization", example: "acme", "slug or id of the organization").namingData(),
                .required("project", example: "my-app", "slug, name or id of the project").namingData(),
                .optional("environment", else: "production", "the environment to report"),
                .optional(
                    "userDays", .number(0...90), else: "30",
                    "how many past days to request the users of issues for, one request for each new day"),
                .optional(
                    "url", else: SentryConfiguration.usualBase,
                    "URL of the server; https://de.sentry.io for accounts in the EU"),
                .optional(
                    "requests", .number(50...5000), else: "150",
                    "the most requests of one fetch; up to a third of them for the health of releases"),
                .required(
                    "token", .secret(.variable), example: "SENTRY_TOKEN",
                    "a personal token, or that of an internal integration"),
            ]),
        capabilities: [
            .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .hours, .usage, .notes,
        ],
        permissions: sentryScopes,
        limitSource:
            "docs.sentry.io/api/ratelimits: no number; X-Sentry-Rate-Limit-Remaining and -Reset are heeded",
        delay: "The service states none; days that are over may still gain late sessions."
    ) { setup in
        var configuration = try SentryConfiguration(
            organization: setup.required("organization"), project: setup.required("project"),
            token: setup.token(), base: setup.required("url"), environment: setup.required("environment"),
            id: setup.id)
        configuration.userDays = setup.number("userDays", else: configuration.userDays)
        configuration.mostRequests = setup.number("requests", else: configuration.mostRequests)
        configuration.mostSessionRequests = configuration.mostRequests / 3
        configuration.limits = setup.limits
        return try SentryProvider(
            configuration, sender: setup.sender, kept: setup.kept, describedBefore: setup.describedBefore,
            knownIssues: setup.knownIssues)
    }
}

/// What is needed to query Sentry, the service or a server of one's own, about one project; never without a token.
package struct SentryConfiguration: Sendable {
    /// The service for most accounts; an account in the European Union has `https://de.sentry.io`.
    package static let usualBase = "https://sentry.io"

    /// Where the API is: `https://host/api/0`.
    package var base: Address
    /// The organization's slug or id.
    package var organization: String
    /// The project's slug, id or name.
    package var project: String
    /// The environment that is reported; nil for all together.
    package var environment: String?
    /// A personal token, or that of an internal integration, with the scopes `org:read`, `project:read` and `event:read`.
    package var token: Secret
    /// The name of the source within its app.
    package var id: Slug
    /// How many whole days of health are requested, 1…90.
    package var days = 30
    /// The most requests of one fetch, besides retries.
    package var mostRequests = 150
    /// For how many days that are over the users of their issues are requested, one request each; those that were
    /// settled when they were requested are not requested again. The service keeps errors for 30 or 90 days.
    package var userDays = 30
    /// The most requests for the health of releases, of those.
    package var mostSessionRequests = 50
    /// The most points of one response about sessions; some servers of one's own admit only half.
    package var mostPoints = SessionPlan.mostPoints
    /// The most pages of the list of projects.
    package var mostProjectPages = 10
    /// The most pages of any other list, of 100 elements each.
    package var mostPages = 3
    /// For how many issues notes, versions and code location are requested, one by one.
    package var mostDetailedIssues = 10
    /// What one request may cost.
    package var limits = Limits()

    /// Makes a configuration; throws when the base is no address. `/api/0` may stand in the base or not.
    package init(
        organization: String, project: String, token: Secret, base: String = usualBase,
        environment: String? = "production", id: Slug = Slug(anyText: "sentry")
    ) throws(AddressError) {
        self.base = try Address(base).sentryAPIRoot()
        self.organization = organization
        self.project = project
        self.environment = environment
        self.token = token
        self.id = id
    }
}
