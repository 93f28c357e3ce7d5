package import AppHealth
import Foundation
import Settings
package import Transport

/// BugSnag (Insight Hub) through its Data Access API, version 2: one project as one app.
package struct BugsnagProvider: Provider {
    static let name = "bugsnag"

    private let configuration: BugsnagConfiguration
    private let sender: AuthenticatedClient
    /// The source as its last run described it.
    var describedBefore: @Sendable () -> Source? = { nil }
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }

    /// A provider that sends with the token, which goes to the configuration's origin only.
    package init(_ configuration: BugsnagConfiguration, sender: some Sender) throws(HeaderError) {
        self.configuration = configuration
        self.sender = try AuthenticatedClient(
            sender, origin: configuration.base.origin, credential: .token(configuration.token))
    }

    package var source: Source { bugsnagSource(configuration.id, configuration.stages) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .bugsnag, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func missingPermissions(in refusal: Response) -> [String] {
        bugsnagMissingPermissions(in: refusal)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let (stage, pages) = (configuration.releaseStage, configuration.mostPages)
        let requests: [(endpoint: BugsnagEndpoint, most: Int)] = [
            (.organizations, configuration.mostProjectPages),
            (.projects(organization: "{organization}"), configuration.mostProjectPages),
            (.stabilityTrend(project: "{project}"), 1),
            (.releaseGroups(project: "{project}", stage: stage), pages),
            (.releases(project: "{project}", stage: stage), pages),
            (.eventFields(project: "{project}"), pages),
            (.errors(project: "{project}", stage: stage), configuration.mostErrorPages),
            (.unhandledErrors(project: "{project}", stage: stage), configuration.mostErrorPages),
            (
                .errorsOfDay("{day}", project: "{project}", stage: stage),
                configuration.userDays
            ),
            (.comments(project: "{project}", error: "{error}"), max(0, configuration.mostRequests - 8)),
        ]
        return requests.map { $0.endpoint.planned(below: configuration.base, most: $0.most) }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        await outcome(
            of: BugsnagRun(
                configuration: configuration, sender: sender, describedBefore: describedBefore,
                knownIssues: knownIssues),
            at: now, \.parts, keepsWarnings: true
        ) { run throws(ServiceFault) in try await run.snapshot(of: app, at: now) }
    }
}

/// What BugSnag counts, for the stages that its figures are about.
func bugsnagSource(_ id: Slug, _ stages: BugsnagStages) -> Source {
    Source(
        id: id, provider: BugsnagProvider.name,
        sessionDefinition: """
            A session begins when the app starts, or when it comes back after at least 30 seconds in the \
            background; \(stages.words)
            """,
        userDefinition: """
            A user is the id that the app sets, otherwise one installation; distinct within a day, never \
            over days; \(stages.words)
            """,
        zone: "UTC", delay: ProviderDescriptor.bugsnag.delay,
        capabilities: ProviderDescriptor.bugsnag.capabilities)
}

/// What to do about a token that is refused.
private let bugsnagTokenHint = "make a new personal auth token in BugSnag under My account"

extension ServiceProfile {
    /// BugSnag's.
    static let bugsnag = ServiceProfile(
        provider: BugsnagProvider.name,
        hints: [
            401: bugsnagTokenHint,
            403: "check that the plan has this feature and the token's owner can see the project",
            422: "fetch again later; the response would be incomplete",
            429: "wait a minute: BugSnag admits 30 requests a minute for a token",
        ],
        explain: { error, _ in
            if error.status == 404, error.excerpt.contains("User not found") {
                return .init(hints: ["use a personal auth token; a project's API key does not open this API"])
            }
            guard error.status == 401, error.address.hasPrefix(BugsnagConfiguration.usualBase) else {
                return .init()
            }
            return .init(hints: [
                bugsnagTokenHint,
                "set 'url' to \(BugsnagConfiguration.newerBase) for an account on app.bugsnag.smartbear.com",
            ])
        },
        headers: [("X-Version", "2")],
        ambiguousHint: "write the slug or the id, and the organization when the slugs are alike",
        budgetHint: "raise 'requests' of the source; BugSnag admits 30 a minute")
}

/// What a response of 403 says the account's plan or the token's owner lacks: `{"errors": ["…"]}`.
func bugsnagMissingPermissions(in refusal: Response) -> [String] {
    guard refusal.status == 403,
        let answer = try? JSONDecoder().decode(Refusal.self, from: Data(refusal.body))
    else { return [] }
    return answer.errors.prefix(5).map { String(refusal.redaction.masked($0).prefix(200)) }
}

private struct Refusal: Decodable {
    var errors: [String]
}

extension ProviderDescriptor {
    /// BugSnag (Insight Hub) through its Data Access API.
    package static let bugsnag = ProviderDescriptor(
        BlockSchema(
            "bugsnag", title: "BugSnag", summary: "A project of BugSnag (Insight Hub)",
            keys: [
                .required("project", example: "my-app", "slug, name or id of the project").namingData(),
                .optional(
                    "organization", example: "acme", "slug, name or id; needed when the token sees several"),
                .optional("releaseStage", else: "production", "the release stage to report"),
                .optional(
                    "userDays", .number(0...14), else: "7",
                    "how many past days to request the users of issues for, one request a day"),
                .optional(
                    "url", else: BugsnagConfiguration.usualBase,
                    "URL of the API; \(BugsnagConfiguration.newerBase) for accounts on app.bugsnag.smartbear.com"
                ),
                .optional(
                    "requests", .number(25...1000), else: "25",
                    "the most requests of one fetch; of more than 30, some wait for the next minute"),
                .required(
                    "token", .secret(.variable), example: "BUGSNAG_TOKEN", "a personal auth token"),
            ]),
        capabilities: [.sessions, .users, .releases, .issues, .issueDays, .notes],
        permissions: ["a personal auth token of a user who may see the project"],
        limit: RateLimit(30, perSeconds: 60),
        limitSource: "BugSnag, Data Access API, rate limiting: per token, reported as X-RateLimit-Limit",
        delay: "The service states none; the current day is still filling."
    ) { setup in
        var configuration = try BugsnagConfiguration(
            project: setup.required("project"), token: setup.token(), base: setup.required("url"),
            organization: setup.text("organization"), releaseStage: setup.required("releaseStage"),
            id: setup.id)
        configuration.userDays = setup.number("userDays", else: configuration.userDays)
        configuration.mostRequests = setup.number("requests", else: configuration.mostRequests)
        configuration.limits = setup.limits
        var provider = try BugsnagProvider(configuration, sender: setup.sender)
        provider.describedBefore = setup.describedBefore
        provider.knownIssues = setup.knownIssues
        return provider
    }
}
