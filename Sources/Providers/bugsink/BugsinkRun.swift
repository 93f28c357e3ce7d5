import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its issues must come; what else is missing is said in a warning.
struct BugsinkRun {
    var parts: PartialFetch
    let configuration: BugsinkConfiguration
    private var log = PartLog(provider: BugsinkProvider.name)
    private var capabilities = ProviderDescriptor.bugsink.capabilities

    init(configuration: BugsinkConfiguration, sender: AuthenticatedClient) {
        self.configuration = configuration
        parts = PartialFetch(
            ServiceClient(
                .bugsink, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .sender(sender)))
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let project = try await project()
        var snapshot = Snapshot(app: app, source: bugsinkSource(configuration.id), capturedAt: now)
        snapshot.issues = try await issues(of: project)
        snapshot.releases = await releases(of: project)
        await addDetails(to: &snapshot, since: now.date.advanced(by: 1 - max(1, configuration.days)))
        try parts.checkRun()
        snapshot.source.capabilities = capabilities
        snapshot.warnings = parts.warnings + log.warnings
        return snapshot
    }

    private mutating func list<Element: Decodable & Sendable>(
        _ type: Element.Type, at endpoint: BugsinkEndpoint
    ) async throws(ServiceFault) -> [Element] {
        let pages = try await parts.client.pages(
            from: endpoint, by: .linkInBody(BugsinkPage<Element>.self), most: configuration.mostPages)
        parts.add(pages.warnings)
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
            guard error.status == 403, wanted.utf8.allSatisfy({ (48...57).contains($0) }) else {
                throw error
            }
            return wanted
        }
        let named = all.filter { $0.id.text != nil }.map {
            NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
        }
        let project = try parts.client.element(called: wanted, what: "project", in: named)
        return project.id.text ?? wanted
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
            return Providers.releases(
                try await list(BugsinkRelease.self, at: .releases(project: project)))
        } catch {
            if error.status == 403 { capabilities.remove(.releases) }
            parts.addMissing("releases", error)
            return []
        }
    }
}

// MARK: Parts of each issue

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
        let days = await each("counts by day", of: ids, for: .issueDays) {
            client, id throws(ServiceFault) in
            try await client.days(of: id, since: start)
        }
        let events = await each("place and kind", of: ids) { client, id throws(ServiceFault) in
            try await client.newestEvent(of: id)
        }
        let users = await each("users", of: ids) { client, id throws(ServiceFault) in
            try await client.users(of: id)
        }
        let notes = await each("notes", of: ids, for: .notes) { client, id throws(ServiceFault) in
            try await client.notes(on: id)
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

    /// One part of each issue. A server that lacks the part, or a token that may not see it, gets one request.
    private mutating func each<Value>(
        _ part: String, of ids: [String], for capability: Capability? = nil,
        _ body: (inout ServiceClient, String) async throws(ServiceFault) -> (Value, [Diagnostic])
    ) async -> [String: Value] {
        var result: [String: Value] = [:]
        for id in ids where !parts.isCancelled {
            let refusal = parts.client.refusal
            guard log.isWorthRequesting(part), refusal == nil else {
                log.skipped(part, refusal?.diagnostic)
                continue
            }
            do throws(ServiceFault) {
                let (value, losses) = try await body(&parts.client, id)
                result[id] = value
                parts.add(losses)
            } catch {
                if error.lacksPart {
                    if let capability { capabilities.remove(capability) }
                    parts.addMissing(part, error)
                    return result
                }
                parts.heed(error)
                log.failed(part, error.diagnostic)
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

extension ServiceClient {
    /// The days of an issue from the instant on, the current one as far as it is counted.
    mutating func days(
        of issue: String, since start: Instant
    ) async throws(ServiceFault) -> ([IssueDay], [Diagnostic]) {
        let endpoint = BugsinkEndpoint.eventCounts(issue: issue, start: start.description)
        var (counts, losses) = try await value(BugsinkCounts.self, at: endpoint)
        let days = issueDays(counts, of: issue, losses: &losses)
        return (days, losses.warnings)
    }

    /// The newest event that is still stored; nil when none is.
    mutating func newestEvent(
        of issue: String
    ) async throws(ServiceFault) -> (BugsinkEvent?, [Diagnostic]) {
        let (page, _) = try await value(
            BugsinkPage<BugsinkEventEntry>.self, at: BugsinkEndpoint.events(issue: issue))
        guard let newest = page.elements.first else { return (nil, []) }
        let (event, losses) = try await value(
            BugsinkEvent.self, at: BugsinkEndpoint.event(newest.id.text))
        return (event, losses.warnings)
    }

    /// How many users met the issue; nil when no event names one, or when there are more than are read.
    mutating func users(
        of issue: String
    ) async throws(ServiceFault) -> (Int?, [Diagnostic]) {
        let pages = try await pages(
            from: BugsinkEndpoint.users(issue: issue), by: .linkInBody(BugsinkPage<BugsinkUser>.self),
            most: 4)
        let users = Set(pages.elements.compactMap(\.id.text)).count
        return (pages.isCut || users == 0 ? nil : users, pages.warnings)
    }

    /// The comments in an issue's history.
    mutating func notes(
        on issue: String
    ) async throws(ServiceFault) -> ([Note], [Diagnostic]) {
        let pages = try await pages(
            from: BugsinkEndpoint.history(issue: issue),
            by: .linkInBody(BugsinkPage<BugsinkHistoryEntry>.self), most: 1)
        return (pages.elements.compactMap { note($0, on: issue) }, pages.warnings)
    }
}
