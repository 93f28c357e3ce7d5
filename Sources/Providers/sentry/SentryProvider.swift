package import AppHealth
package import Transport

/// Sentry, the service or a server of one's own, through its web API: one project as one app.
package struct SentryProvider: Provider {
    static let name = "sentry"

    private let configuration: SentryConfiguration
    private let sender: AuthenticatedClient

    /// A provider that sends with the token, which goes to the configuration's origin only.
    package init(_ configuration: SentryConfiguration, sender: some Sender) throws(HeaderError) {
        self.configuration = configuration
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
        // The days depend on the day of the fetch.
        let days = DaySpan(days: configuration.days, endingOn: CivilDate(daysSinceEpoch: 0))
        let hours = sentryHours(before: Instant(startOf: CivilDate(daysSinceEpoch: 0)))
        let detailed = max(0, configuration.mostDetailedIssues)
        let requests: [(endpoint: SentryEndpoint, most: Int)] = [
            (.projects(organization: organization), configuration.mostProjectPages),
            (.sessions(.statuses(byRelease: false), days, scope), 1),
            (.sessions(.users(byRelease: false), days, scope), 1),
            (.releases(scope), configuration.mostPages), (.issues(scope), configuration.mostPages),
            (.sessions(.users(byRelease: true), days, scope), configuration.mostSessionRequests),
            (.sessions(.statuses(byRelease: true), days, scope), configuration.mostSessionRequests),
            (.sessions(.usersOfSpan, days, scope), 2),
            (.issue("{issue}", organization: organization), detailed),
            (.latestEvent(issue: "{issue}", organization: organization), detailed),
            (.sessionsByHour(hours, scope), 1),
            (.issuesByHour(scope), 1),
        ]
        return requests.map { request in
            let text = request.endpoint.text(below: configuration.base)
                .replacing("\(days.first)", with: "{first day}").replacing(
                    "\(days.last)", with: "{last day}"
                )
                .replacing("\(hours.lowerBound)".dropLast(7), with: "{first hour}")
                .replacing("\(hours.upperBound)".dropLast(7), with: "{last hour}")
            return PlannedRequest("GET", text, purpose: request.endpoint.part, most: request.most)
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        await outcome(
            of: SentryRun(configuration: configuration, sender: sender, now: now), at: now, \.parts
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
        hasExactCounts: false)
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
    case 401: "make a new auth token in Sentry under Settings, Auth Tokens"
    case 403: "give the token the scopes org:read, project:read and event:read"
    case 404:
        "check organization, project and environment; Sentry answers 404 when the token may not see them"
    case 429: "wait until the time above, or fetch less often"
    default: nil
    }
}
