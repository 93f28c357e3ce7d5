import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its trend must come; what else is missing is said in a warning.
struct BugsnagRun {
    private(set) var requests: ServiceRequests
    let configuration: BugsnagConfiguration
    private(set) var warnings: [Diagnostic] = []
    private var cancelled: ServiceFault?

    init(configuration: BugsnagConfiguration, sender: AuthenticatedClient) {
        self.configuration = configuration
        self.requests = ServiceRequests(
            .bugsnag, most: configuration.mostRequests, limits: configuration.limits, sender: sender)
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
        if let cancelled { throw cancelled }
        snapshot.warnings = warnings
        return snapshot
    }

    mutating func tell(_ warning: Diagnostic) {
        warnings.append(warning)
    }

    mutating func missing(_ part: String, _ fault: ServiceFault) {
        if fault.isCancelled { cancelled = fault }
        let why = fault.diagnostic
        warnings.append(
            .warning(
                "bugsnag.part-missing", "bugsnag: \(part) are missing from this fetch",
                details: [why.summary] + why.details, at: why.location, hints: why.hints))
    }
}

// MARK: Lists

extension BugsnagRun {
    mutating func pages<Element: Decodable & Sendable>(
        of type: Element.Type, from endpoint: BugsnagEndpoint, most: Int
    ) async throws(ServiceFault) -> ServicePages<Element> {
        try await requests.linkedPages(
            of: type, from: try endpoint.address(below: configuration.base), most: most)
    }

    /// The elements of a list, or none and a warning that names the part.
    mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, from endpoint: BugsnagEndpoint, most: Int
    ) async -> [Element] {
        do throws(ServiceFault) {
            let pages = try await self.pages(of: type, from: endpoint, most: most)
            warnings += pages.warnings
            return pages.elements
        } catch {
            missing(endpoint.part, error)
            return []
        }
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
                warnings += pages.warnings
            } catch {
                fault = fault ?? error
            }
        }
        if projects.isEmpty, let fault { throw fault }
        let found = try named(
            configuration.project,
            of: .projects(organization: configuration.organization ?? "{organization}"),
            in: projects.map { ($0.id, $0.slug, $0.name, $0) })
        if let fault { missing("the projects of another organization", fault) }
        return found
    }

    private mutating func organizations() async throws(ServiceFault) -> [BugsnagOrganization] {
        let pages = try await self.pages(
            of: BugsnagOrganization.self, from: .organizations, most: configuration.mostPages)
        warnings += pages.warnings
        guard let wanted = configuration.organization else { return pages.elements }
        return [
            try named(
                wanted, of: .organizations, in: pages.elements.map { ($0.id, $0.slug, $0.name, $0) })
        ]
    }

    /// The one with this id; otherwise with this slug; otherwise with this name.
    private func named<Value>(
        _ wanted: String, of endpoint: BugsnagEndpoint,
        in all: [(id: WireName, slug: WireName?, name: WireName?, value: Value)]
    ) throws(ServiceFault) -> Value {
        let tiers = [
            all.filter { $0.id.text == wanted }, all.filter { $0.slug?.text == wanted },
            all.filter { $0.name?.text == wanted },
        ]
        let what = String(endpoint.part.dropLast())
        guard let found = tiers.first(where: { !$0.isEmpty }) else {
            let known = Set(all.compactMap { $0.slug?.nonEmpty ?? $0.name?.nonEmpty })
            throw .bugsnagNotFound(
                what: what, name: wanted, among: known.sorted(),
                at: endpoint.text(below: configuration.base))
        }
        guard found.count == 1, let only = found.first else {
            throw .bugsnagAmbiguous(
                what: what, name: wanted, slugs: found.map { $0.slug?.nonEmpty ?? $0.id.text })
        }
        return only.value
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
            var (trend, losses) = try await requests.value(
                BugsnagTrend.self,
                at: try BugsnagEndpoint.stabilityTrend(project: project.id.text).address(
                    below: configuration.base))
            snapshot.health = healthDays(of: trend, losses: &losses)
            warnings += losses.warnings
            if let stage = trend.stage?.nonEmpty, stage != configuration.releaseStage {
                tell(answered: stage, of: project, in: &snapshot)
            }
        } catch {
            guard error.status == 403 else { throw error }
            snapshot.source.capabilities.subtract([.sessions, .users])
            missing("sessions and users", error)
        }
    }

    /// The trend is about the project's primary stage, whatever was asked for.
    private mutating func tell(
        answered stage: String, of project: BugsnagProject, in snapshot: inout Snapshot
    ) {
        let endpoint = BugsnagEndpoint.stabilityTrend(project: project.id.text)
        let source = bugsnagSource(configuration.id, stage: stage)
        snapshot.source.sessionDefinition = source.sessionDefinition
        snapshot.source.userDefinition = source.userDefinition
        let asked = configuration.releaseStage
        warnings.append(
            .warning(
                "bugsnag.release-stage",
                "bugsnag: sessions and users are of release stage '\(printable(stage))', not '\(asked)'",
                at: .keyPath(document: endpoint.text(below: configuration.base), path: "release_stage_name"),
                hints: ["make '\(asked)' the project's primary release stage, or name the other one"]))
    }
}
