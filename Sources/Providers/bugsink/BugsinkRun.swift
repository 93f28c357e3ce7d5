import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its issues must come; what else is missing is said in a warning.
struct BugsinkRun {
    var parts: PartialFetch
    let configuration: BugsinkConfiguration
    private var capabilities = ProviderDescriptor.bugsink.capabilities
    private let providedBefore: @Sendable () -> Set<Capability>
    private let knownIssues: @Sendable () -> KnownIssues
    private let lastFetch: @Sendable () -> LastFetch

    init(
        configuration: BugsinkConfiguration, sender: AuthenticatedClient,
        providedBefore: @escaping @Sendable () -> Set<Capability> = { [] },
        knownIssues: @escaping @Sendable () -> KnownIssues = { KnownIssues() },
        lastFetch: @escaping @Sendable () -> LastFetch = { .unknown }
    ) {
        self.configuration = configuration
        self.providedBefore = providedBefore
        self.knownIssues = knownIssues
        self.lastFetch = lastFetch
        parts = PartialFetch(
            ServiceClient(
                .bugsink, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .sender(sender)),
            needing: { part, why in
                // Without them no new crash is counted, while the stored ones look as if they were the newest.
                switch part {
                case BugsinkEndpoint.totalsPart where !why.isOfOldServer,
                    BugsinkEndpoint.daysPart where !why.isOfGoneIssue:
                    !knownIssues().days.isEmpty
                default: false
                }
            })
    }

    mutating func snapshot(of app: App, at now: Instant) async throws(ServiceFault) -> Snapshot {
        let project = try await project()
        var snapshot = Snapshot(app: app, source: bugsinkSource(configuration.id), capturedAt: now)
        let start = firstDay(at: now)
        var list = try await issues(of: project, since: start)
        let dates = (0..<max(1, configuration.days)).map { now.date.advanced(by: -$0) }
        if list.issues.isEmpty,
            parts.doubtsEmptyList(
                knownIssues(), at: BugsinkEndpoint.issues(project: project), covers: dates.contains)
        {
            list.coversWindow = false
        }
        snapshot.issues = list.issues
        snapshot.releases = await releases(of: project)
        let totals = await totals(of: project, at: now)
        snapshot.health = healthDays(totals)
        let kinds = await markCrashes(of: project, in: &snapshot.issues, since: start)
        let areKindsKnown = kinds != .open
        let days = await addDays(to: &snapshot, at: now)
        await addDetails(to: &snapshot, since: start)
        snapshot.unstatedKinds = Set(
            snapshot.issues.lazy.filter { $0.kind == .error && !kinds.isKnown(of: $0, since: start) }.map(
                \.id))
        snapshot.coverage =
            coverage(of: totals)
            + coverage(ofIssues: snapshot.issues, asked: days, isWhole: list.coversWindow, on: dates)
        snapshot.removeDaysBeforeFirstEvent(lastFetch: lastFetch().day, stored: knownIssues)
        let open = snapshot.countCrashesAlone(
            areKindsKnown: areKindsKnown, on: dates.filter(totals.whole.contains))
        if list.coversWindow, seen(in: snapshot.issues, since: start).allSatisfy({ days[$0.id] != nil }) {
            parts.noteOpenDays(
                open.filter { $0.date < now.date },
                at: BugsinkEndpoint.totals(project: project, start: start.description))
        }
        if !areKindsKnown { snapshot.stateThatCrashesAreOpen() }
        try parts.checkRun()
        snapshot.source.capabilities = capabilities
        snapshot.warnings = parts.warnings
        return snapshot
    }

    /// The first day of which issues are read.
    private func firstDay(at now: Instant) -> Instant {
        Instant(startOf: now.date.advanced(by: 1 - max(1, configuration.days)))
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
        let pages: ServicePages<BugsinkProject>
        do throws(ServiceFault) {
            pages = try await parts.client.pages(
                from: BugsinkEndpoint.projects, by: .linkInBody(BugsinkPage<BugsinkProject>.self),
                most: configuration.mostPages,
                until: { $0.contains { $0.id.text == wanted || $0.slug?.text == wanted } })
            parts.add(pages.warnings)
        } catch {
            guard error.status == 403, wanted.utf8.allSatisfy({ (48...57).contains($0) }) else {
                throw error
            }
            return wanted
        }
        let named = pages.elements.filter { $0.id.text != nil }.map {
            NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
        }
        let project = try parts.client.element(
            called: wanted, what: "project", in: named, isCut: pages.isCut)
        return project.id.text ?? wanted
    }

    /// The issues with most events, and where they are more than are read, those that were seen since an instant. A list may
    /// show one twice when events arrive between its pages.
    private mutating func issues(
        of project: String, since start: Instant
    ) async throws(ServiceFault) -> BugsinkIssues {
        let pages = try await pages(of: .issues(project: project))
        var list = BugsinkIssues(
            issues: pages.elements.compactMap { issue($0, below: configuration.base) },
            coversWindow: pages.isWhole { $0.id.text })
        if pages.isCut, pages.count >= configuration.mostPages {
            do throws(ServiceFault) {
                let latest = try await self.pages(of: .issues(project: project, .lastSeen), since: start)
                list.issues += latest.elements.compactMap { issue($0, below: configuration.base) }
                list.coversWindow = latest.isWholeByTime
                // That a list is cut is said once.
                if !latest.isCut { parts.add(latest.warnings) }
            } catch {
                parts.addFailure(of: BugsinkEndpoint.issues(project: project).part, error)
            }
        }
        if !list.coversWindow { parts.add(pages.warnings) }
        list.issues = list.issues.uniqued(by: \.id)
        return list
    }

    /// A list of issues; of one that begins with those seen last no more than those seen since an instant.
    private mutating func pages(
        of endpoint: BugsinkEndpoint, since start: Instant? = nil
    ) async throws(ServiceFault) -> ServicePages<BugsinkIssue> {
        try await parts.client.pages(
            from: endpoint, by: .linkInBody(BugsinkPage<BugsinkIssue>.self), most: configuration.mostPages,
            until: { issues in
                guard let start, let last = issues.last?.lastSeen?.instant else { return false }
                return last < start
            })
    }

    /// The events of each day, all issues together; none and a warning when they do not come.
    private mutating func totals(of project: String, at now: Instant) async -> BugsinkDays {
        let endpoint = BugsinkEndpoint.totals(project: project, start: firstDay(at: now).description)
        guard let answer = await parts.value(BugsinkCounts.self, at: endpoint) else { return BugsinkDays() }
        var losses = answer.losses
        let days = days(answer.value, at: now, losses: &losses)
        parts.add(losses.warnings)
        return days
    }

    private mutating func releases(of project: String) async -> [Release] {
        do throws(ServiceFault) {
            return Providers.releases(
                try await list(BugsinkRelease.self, at: .releases(project: project)))
        } catch {
            if error.status == 403 { doesNotProvide(.releases) }
            parts.addMissing("releases", error)
            return []
        }
    }
}

extension BugsinkRun {
    /// A refusal says that the server or the token lacks something, unless the source provided it before: then it may be one
    /// of a night.
    private mutating func doesNotProvide(_ capability: Capability) {
        if !providedBefore().contains(capability) { capabilities.remove(capability) }
    }
}

// MARK: Kinds

extension BugsinkRun {
    /// Marks the issues that have an event which nothing handled as crashes: one list names them all. A server that
    /// does not know the question returns every issue; then one issue's tags must confirm it.
    ///
    /// Answers of which issues that are not marked it is known that they are no crashes: a list that was cut off or did not
    /// come leaves some of them open.
    private mutating func markCrashes(
        of project: String, in issues: inout [Issue], since start: Instant
    ) async -> BugsinkKinds {
        guard !issues.isEmpty, !parts.isCanceled else { return .all }
        let endpoint = BugsinkEndpoint.unhandledIssues(project: project)
        do throws(ServiceFault) {
            let pages = try await pages(of: endpoint)
            var crashes = Set(pages.elements.map(\.id.text))
            var kinds = pages.isWhole { $0.id.text } ? BugsinkKinds.all : .open
            if pages.isCut, pages.count >= configuration.mostPages {
                let latest = try await self.pages(
                    of: .unhandledIssues(project: project, .lastSeen), since: start)
                crashes.formUnion(latest.elements.map(\.id.text))
                if latest.isWholeByTime { kinds = .window }
            }
            if let last = issues.last, issues.allSatisfy({ crashes.contains($0.id) }) {
                guard try await parts.client.hasUnhandled(last.id) else { return .open }
            }
            for index in issues.indices where crashes.contains(issues[index].id) {
                if issues[index].kind == .error { issues[index].kind = .crash }
            }
            return kinds
        } catch {
            parts.addFailure(of: endpoint.part, error)
            return .open
        }
    }
}

extension ServicePages<BugsinkIssue> {
    /// Whether the issues that were seen last are all there: also that the server put them in this order.
    fileprivate var isWholeByTime: Bool {
        let times = elements.compactMap { $0.lastSeen?.instant }
        return isWhole { $0.id.text } && times.count == elements.count
            && zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
    }
}

/// The issues of a project, as far as they were read.
private struct BugsinkIssues {
    /// Those with most events first, then those that only the list by time names.
    var issues: [Issue]
    /// Whether every issue that was seen in the window is among them.
    var coversWindow: Bool
}

/// Of which issues it is known whether they are crashes.
private enum BugsinkKinds {
    case all
    /// Of those that were seen in the window.
    case window
    /// Of those alone that a list names.
    case open

    func isKnown(of issue: Issue, since start: Instant) -> Bool {
        switch self {
        case .all: true
        case .window: issue.lastSeen.map { $0 >= start } ?? false
        case .open: false
        }
    }
}

// MARK: Parts of each issue

extension BugsinkRun {
    /// For how many days an issue is new: the list by all events has it last, however many it has of a day.
    private static let newDays = 7
    /// How many requests an issue's place, users and notes take.
    private static let detailRequests = 4

    /// The issues that may have had an event since an instant.
    private func seen(in issues: [Issue], since start: Instant) -> [Issue] {
        issues.filter { $0.lastSeen.map { $0 >= start } ?? true }
    }

    /// Adds the days of the issues among those seen in the window, as many as the requests last for next to the details of
    /// the first: the new ones, then those with most events.
    private mutating func addDays(to snapshot: inout Snapshot, at now: Instant) async -> [String: BugsinkDays]
    {
        let start = firstDay(at: now)
        let seen = seen(in: snapshot.issues, since: start)
        let lately = now.date.advanced(by: -Self.newDays)
        let isNew = { (issue: Issue) in issue.firstSeen.map { $0.date >= lately } ?? false }
        let ids = (seen.filter(isNew) + seen.filter { !isNew($0) }).map(\.id)
        let reserved = Self.detailRequests * min(max(0, configuration.mostIssues), ids.count)
        let isRefused = parts.client.refusal.map { !$0.isOfBudget } ?? false
        let affordable = max(parts.client.left - reserved, parts.client.left / 2)
        // Of a service that answers nothing any more all of them are named as missing.
        let most = isRefused ? ids.count : min(ids.count, affordable)
        let days = await each(BugsinkEndpoint.daysPart, of: Array(ids.prefix(most)), for: .issueDays) {
            client, id throws(ServiceFault) in
            try await client.days(of: id, since: start, at: now)
        }
        if ids.count > most, parts.client.refusal == nil {
            parts.addSkipped(BugsinkEndpoint.daysPart, ids.count - most)
        }
        snapshot.issueDays = ids.flatMap { id in days[id].map { issueDays($0, of: id) } ?? [] }
        return days
    }

    /// Adds place, users and notes of the issues with most events among those seen in the window, the dearest part
    /// first: the requests may not last for all.
    private mutating func addDetails(to snapshot: inout Snapshot, since start: Instant) async {
        let chosen = snapshot.issues.indices.filter {
            snapshot.issues[$0].lastSeen.map { $0 >= start } ?? true
        }
        .prefix(max(0, configuration.mostIssues))
        let ids = chosen.map { snapshot.issues[$0].id }
        let events = await each("place and kind", of: ids) { client, id throws(ServiceFault) in
            try await client.newestEvent(of: id)
        }
        let users = await each("users", of: ids) { client, id throws(ServiceFault) in
            try await client.users(of: id)
        }
        let notes = await each("notes", of: ids, for: .notes) { client, id throws(ServiceFault) in
            try await client.notes(on: id)
        }
        snapshot.notes = ids.flatMap { notes[$0] ?? [] }
        for index in chosen {
            let id = snapshot.issues[index].id
            if let event = events[id] ?? nil {
                snapshot.issues[index].place = event.place
                // An event reports more than the list: a hang by its mechanism, a crash by its level.
                if event.kind == .hang || snapshot.issues[index].kind == .error {
                    snapshot.issues[index].kind = event.kind
                }
            }
            snapshot.issues[index].users = users[id] ?? nil
        }
    }

    /// One part of each issue. A server that lacks the part, or a token that may not see it, gets one request.
    private mutating func each<Value>(
        _ part: String, of ids: [String], for capability: Capability? = nil,
        _ body: (inout ServiceClient, String) async throws(ServiceFault) -> (Value, [Diagnostic])
    ) async -> [String: Value] {
        let result = await parts.each(part, of: ids, isRefusal: \.lacksPart, body)
        if result.isRefused, let capability { doesNotProvide(capability) }
        return result.values
    }
}

extension ServiceFault {
    /// Whether the server is too old for the endpoint, or the token may not use it; an issue that is gone is
    /// neither.
    fileprivate var lacksPart: Bool {
        switch status {
        case 403, 405: true
        case 404: !isOfGoneIssue
        default: false
        }
    }

    /// Whether an issue was deleted since it was listed.
    fileprivate var isOfGoneIssue: Bool { status == 404 && excerpt.contains("matches the given query") }
    /// Whether the server has no such endpoint.
    fileprivate var isOfOldServer: Bool { status == 404 || status == 405 }
}

extension ServiceClient {
    /// The days of an issue from the instant on, the current one as far as it is counted.
    mutating func days(
        of issue: String, since start: Instant, at now: Instant
    ) async throws(ServiceFault) -> (BugsinkDays, [Diagnostic]) {
        let endpoint = BugsinkEndpoint.eventCounts(issue: issue, start: start.description)
        var (counts, losses) = try await value(BugsinkCounts.self, at: endpoint)
        let days = Providers.days(counts, at: now, losses: &losses)
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

    /// Whether the tags of an issue say that nothing handled an event of it.
    mutating func hasUnhandled(_ issue: String) async throws(ServiceFault) -> Bool {
        let (page, _) = try await value(
            BugsinkPage<BugsinkHandled>.self, at: BugsinkEndpoint.handled(issue: issue))
        return page.elements.contains { $0.value.text.lowercased() == "false" && $0.count.value > 0 }
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
