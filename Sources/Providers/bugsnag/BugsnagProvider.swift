package import AppHealth
package import Transport

/// BugSnag (Insight Hub) through its Data Access API, version 2: one project as one app.
package struct BugsnagProvider: Provider {
    static let name = "bugsnag"

    private let configuration: BugsnagConfiguration
    private let sender: AuthenticatedClient

    /// A provider that sends with the token, which goes to the configuration's origin only.
    package init(_ configuration: BugsnagConfiguration, sender: some Sender) throws(HeaderError) {
        self.configuration = configuration
        self.sender = try AuthenticatedClient(
            sender, origin: configuration.base.origin, credential: .token(configuration.token))
    }

    package var source: Source { bugsnagSource(configuration.id, stage: configuration.releaseStage) }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .bugsnag, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func missingPermissions(in refusal: Response) -> [String] { bugsnagMissingPermissions(in: refusal) }

    package func plan(for app: App) -> [PlannedRequest] {
        let (stage, pages) = (configuration.releaseStage, configuration.mostPages)
        let requests: [(endpoint: BugsnagEndpoint, most: Int)] = [
            (.organizations, pages), (.projects(organization: "{organization}"), pages),
            (.stabilityTrend(project: "{project}"), 1),
            (.releaseGroups(project: "{project}", stage: stage), pages),
            (.releases(project: "{project}", stage: stage), pages),
            (.eventFields(project: "{project}"), pages),
            (.errors(project: "{project}", stage: stage), configuration.mostErrorPages),
            (.comments(project: "{project}", error: "{error}"), max(0, configuration.mostRequests - 7)),
        ]
        return requests.map { request in
            PlannedRequest(
                "GET", request.endpoint.text(below: configuration.base), purpose: request.endpoint.part,
                most: request.most)
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let start = ContinuousClock.now
        var run = BugsnagRun(configuration: configuration, sender: sender)
        var outcome = FetchOutcome()
        do throws(ServiceFault) {
            outcome.snapshots = [try await run.snapshot(of: app, at: now)]
        } catch {
            outcome.failures = [FetchOutcome.Failure(at: now, why: error.diagnostic)]
            outcome.warnings = run.warnings
        }
        outcome.requests = run.requests.used
        outcome.milliseconds = start.duration(to: .now).milliseconds
        return outcome
    }
}

/// What BugSnag counts, for the stage that its figures are about.
func bugsnagSource(_ id: Slug, stage: String) -> Source {
    Source(
        id: id, provider: BugsnagProvider.name,
        sessionDefinition: """
            A session begins when the app starts, or when it comes back after at least 30 seconds in the \
            background; release stage '\(stage)'.
            """,
        userDefinition: """
            A user is the id that the app sets, otherwise one installation; distinct within a day, never \
            over days; release stage '\(stage)'.
            """,
        zone: "UTC", delay: ProviderDescriptor.bugsnag.delay,
        capabilities: ProviderDescriptor.bugsnag.capabilities)
}
