import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its trend must come; what else is missing is said in a warning.
struct BugsnagRun {
    var parts: PartialFetch
    let configuration: BugsnagConfiguration

    init(configuration: BugsnagConfiguration, sender: AuthenticatedClient) {
        self.configuration = configuration
        parts = PartialFetch(
            ServiceClient(
                .bugsnag, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .sender(sender)))
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let project = try await project()
        let source = bugsnagSource(configuration.id, stage: configuration.releaseStage)
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        try await addHealth(of: project, to: &snapshot)
        snapshot.releases = await releases(of: project)
        let errors = await errors(of: project)
        addIssues(errors, at: now, to: &snapshot)
        snapshot.notes = await notes(on: errors, of: project)
        try parts.checkRun()
        snapshot.warnings = parts.warnings
        return snapshot
    }
}

// MARK: Lists

extension BugsnagRun {
    mutating func pages<Element: Decodable & Sendable>(
        of type: Element.Type, from endpoint: BugsnagEndpoint, most: Int
    ) async throws(ServiceFault) -> ServicePages<Element> {
        try await parts.client.pages(from: endpoint, by: .linkHeader(of: type), most: most)
    }

    /// The elements of a list, or none and a warning that names the part.
    mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, from endpoint: BugsnagEndpoint, most: Int
    ) async -> [Element] {
        await parts.list(from: endpoint, by: .linkHeader(of: type), most: most)?.pages.elements ?? []
    }
}

// MARK: Project

extension BugsnagRun {
    private mutating func project() async throws(ServiceFault) -> BugsnagProject {
        var projects: [BugsnagProject] = []
        var fault: ServiceFault?
        for organization in try await organizations() {
            do throws(ServiceFault) {
                let pages = try await self.pages(
                    of: BugsnagProject.self, from: .projects(organization: organization.id.text),
                    most: configuration.mostPages)
                projects += pages.elements
                parts.add(pages.warnings)
            } catch {
                fault = fault ?? error
            }
        }
        if projects.isEmpty, let fault { throw fault }
        let found = try named(
            configuration.project,
            of: .projects(organization: configuration.organization ?? "{organization}"),
            in: projects.map {
                NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
            })
        if let fault { parts.addMissing("the projects of another organization", fault) }
        return found
    }

    private mutating func organizations() async throws(ServiceFault) -> [BugsnagOrganization] {
        let pages = try await self.pages(
            of: BugsnagOrganization.self, from: .organizations, most: configuration.mostPages)
        parts.add(pages.warnings)
        guard let wanted = configuration.organization else { return pages.elements }
        return [
            try named(
                wanted, of: .organizations,
                in: pages.elements.map {
                    NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
                })
        ]
    }

    private func named<Value>(
        _ wanted: String, of endpoint: BugsnagEndpoint, in all: [NamedElement<Value>]
    ) throws(ServiceFault) -> Value {
        try parts.client.element(
            called: wanted, what: String(endpoint.part.dropLast()), in: all,
            at: .address(endpoint.text(below: configuration.base)))
    }
}

// MARK: Health

extension BugsnagRun {
    /// Adds the days. A plan without stability leaves sessions and users unknowable; any other fault ends the
    /// fetch.
    private mutating func addHealth(
        of project: BugsnagProject, to snapshot: inout Snapshot
    ) async throws(ServiceFault) {
        do throws(ServiceFault) {
            var (trend, losses) = try await parts.client.value(
                BugsnagTrend.self, at: BugsnagEndpoint.stabilityTrend(project: project.id.text))
            snapshot.health = healthDays(of: trend, losses: &losses)
            parts.add(losses.warnings)
            if let stage = trend.stage?.nonEmpty, stage != configuration.releaseStage {
                add(answered: stage, of: project, in: &snapshot)
            }
        } catch {
            guard error.status == 403 else { throw error }
            snapshot.source.capabilities.subtract([.sessions, .users])
            parts.addMissing("sessions and users", error)
        }
    }

    /// The trend is about the project's primary stage, whatever was asked for.
    private mutating func add(
        answered stage: String, of project: BugsnagProject, in snapshot: inout Snapshot
    ) {
        let endpoint = BugsnagEndpoint.stabilityTrend(project: project.id.text)
        let source = bugsnagSource(configuration.id, stage: stage)
        snapshot.source.sessionDefinition = source.sessionDefinition
        snapshot.source.userDefinition = source.userDefinition
        let asked = configuration.releaseStage
        parts.add(
            .warning(
                "bugsnag.release-stage",
                "bugsnag: sessions and users are of release stage '\(printable(stage))', not '\(asked)'",
                at: .keyPath(
                    document: endpoint.text(below: configuration.base), path: "release_stage_name"),
                hints: ["make '\(asked)' the project's primary release stage, or name the other one"]))
    }
}
