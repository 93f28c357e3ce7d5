import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its issues must come; what else is missing is said in a warning.
struct BugsinkRun {
    private(set) var requests: ServiceRequests
    let configuration: BugsinkConfiguration
    private var parts = PartLog(provider: BugsinkProvider.name)
    private var warnings: [Diagnostic] = []
    private var cancelled: ServiceFault?
    private var capabilities = bugsinkSource(Slug(anyText: BugsinkProvider.name)).capabilities

    init(configuration: BugsinkConfiguration, sender: AuthenticatedClient) {
        self.configuration = configuration
        self.requests = ServiceRequests(
            .bugsink, most: configuration.mostRequests, limits: configuration.limits, sender: sender)
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let project = try await project()
        var snapshot = Snapshot(app: app, source: bugsinkSource(configuration.id), capturedAt: now)
        snapshot.issues = try await issues(of: project)
        snapshot.releases = await releases(of: project)
        await addDetails(to: &snapshot, since: now.date.advanced(by: 1 - max(1, configuration.days)))
        if let cancelled { throw cancelled }
        snapshot.source.capabilities = capabilities
        snapshot.warnings = warnings + parts.warnings
        return snapshot
    }

    private func address(_ endpoint: BugsinkEndpoint) throws(ServiceFault) -> Address {
        do throws(AddressError) {
            return try endpoint.address(below: configuration.base)
        } catch {
            throw requests.fault(.address(error))
        }
    }

    private mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, at endpoint: BugsinkEndpoint
    ) async throws(ServiceFault) -> [Element] {
        let pages = try await requests.pages(
            BugsinkPage<Element>.self, from: try address(endpoint), most: configuration.mostPages)
        warnings += pages.warnings
        return pages.elements
    }
}

// MARK: Project, issues and releases

extension BugsinkRun {
    /// The id of the project. A token that may not list projects is believed the id that is configured.
    private mutating func project() async throws(ServiceFault) -> String {
        let wanted = configuration.project
        let all: [BugsinkProject]
        do throws(ServiceFault) {
            all = try await list(BugsinkProject.self, at: .projects)
        } catch {
            guard error.status == 403, wanted.utf8.allSatisfy({ (48...57).contains($0) }) else { throw error }
            return wanted
        }
        let tiers = [
            all.filter { $0.id.text == wanted }, all.filter { $0.slug?.text == wanted },
            all.filter { $0.name?.text == wanted },
        ]
        let found = Set((tiers.first { !$0.isEmpty } ?? []).compactMap(\.id.text))
        guard let only = found.first else {
            let known = Set(all.compactMap { $0.slug?.nonEmpty ?? $0.name?.nonEmpty })
            throw requests.fault(.notFound(what: "project", name: wanted, among: known.sorted()))
        }
        guard found.count == 1 else {
            throw requests.fault(.ambiguous(what: "project", name: wanted, ids: found.sorted()))
        }
        return only
    }

    /// The issues with most events. The list may show one twice when events arrive between its pages.
    private mutating func issues(of project: String) async throws(ServiceFault) -> [Issue] {
        var seen: Set<String> = []
        return try await list(BugsinkIssue.self, at: .issues(project: project))
            .compactMap { issue($0, below: configuration.base) }
            .filter { seen.insert($0.id).inserted }
    }

    private mutating func releases(of project: String) async -> [Release] {
        do throws(ServiceFault) {
            return Providers.releases(try await list(BugsinkRelease.self, at: .releases(project: project)))
        } catch {
            if error.status == 403 { capabilities.remove(.releases) }
            missing("releases", error)
            return []
        }
    }

    private mutating func missing(_ part: String, _ fault: ServiceFault) {
        if fault.isCancelled { cancelled = fault }
        let why = fault.diagnostic
        warnings.append(
            .warning(
                "bugsink.part-missing", "bugsink: \(part) are missing from this fetch",
                details: [why.summary] + why.details, at: why.location, hints: why.hints))
    }
}

// MARK: What is asked for each issue

extension BugsinkRun {
    /// Adds days, place, kind, users and notes of the issues with most events among those seen in the window,
    /// the dearest part first: the requests may not last for all.
    private mutating func addDetails(to snapshot: inout Snapshot, since date: CivilDate) async {
        let start = Instant(startOf: date)
        let chosen = snapshot.issues.indices.filter {
            snapshot.issues[$0].lastSeen.map { $0 >= start } ?? true
        }
        .prefix(max(0, configuration.mostIssues))
        let ids = chosen.map { snapshot.issues[$0].id }
        let days = await ask("counts by day", of: ids, for: .issueDays) {
            requests, base, id throws(ServiceFault) in
            try await requests.days(of: id, since: start, below: base)
        }
        let events = await ask("place and kind", of: ids) { requests, base, id throws(ServiceFault) in
            try await requests.newestEvent(of: id, below: base)
        }
        let users = await ask("users", of: ids) { requests, base, id throws(ServiceFault) in
            try await requests.users(of: id, below: base)
        }
        let notes = await ask("notes", of: ids, for: .notes) { requests, base, id throws(ServiceFault) in
            try await requests.notes(on: id, below: base)
        }
        snapshot.issueDays = ids.flatMap { days[$0] ?? [] }
        snapshot.notes = ids.flatMap { notes[$0] ?? [] }
        for index in chosen {
            let id = snapshot.issues[index].id
            if let event = events[id] ?? nil {
                (snapshot.issues[index].kind, snapshot.issues[index].place) = (event.kind, event.place)
            }
            snapshot.issues[index].users = users[id] ?? nil
        }
    }

    /// Asks for one part of each issue. A server that lacks the part, or a token that may not see it, is asked
    /// once.
    private mutating func ask<Value>(
        _ part: String, of ids: [String], for capability: Capability? = nil,
        _ body: (inout ServiceRequests, Address, String) async throws(ServiceFault) -> (Value, [Diagnostic])
    ) async -> [String: Value] {
        var result: [String: Value] = [:]
        for id in ids where cancelled == nil {
            let refusal = requests.refusal
            guard parts.isWorthAsking(part), refusal == nil else {
                parts.notAsked(part, refusal?.diagnostic)
                continue
            }
            do throws(ServiceFault) {
                let (value, losses) = try await body(&requests, configuration.base, id)
                result[id] = value
                warnings += losses
            } catch {
                if error.lacksPart {
                    if let capability { capabilities.remove(capability) }
                    missing(part, error)
                    return result
                }
                if error.isCancelled { cancelled = error }
                parts.failed(part, error.diagnostic)
            }
        }
        return result
    }
}

extension ServiceFault {
    /// Whether the server is too old for the endpoint, or the token may not use it; an issue that is gone is
    /// neither.
    fileprivate var lacksPart: Bool {
        switch status {
        case 403, 405: true
        case 404: !excerpt.contains("matches the given query")
        default: false
        }
    }
}
