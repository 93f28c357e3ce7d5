import AppHealth
import Diagnostics
import Transport

/// One fetch of one project. The project and its issues must come; what else is missing is said in a warning.
struct GlitchtipRun {
    var parts: PartialFetch
    private let configuration: GlitchtipConfiguration
    private let now: Instant

    init(configuration: GlitchtipConfiguration, sender: AuthenticatedClient, now: Instant) {
        self.configuration = configuration
        self.now = now
        parts = PartialFetch(configuration.client(at: now, over: sender))
    }

    mutating func snapshot(of app: App) async throws(ServiceFault) -> Snapshot {
        let organization = configuration.organization
        let (project, _, pages) = try await parts.client.project(
            configuration.project, from: GlitchtipEndpoint.projects(organization: organization),
            most: configuration.mostProjectPages)
        parts.add(pages.warnings)
        var snapshot = Snapshot(app: app, source: glitchtipSource(configuration), capturedAt: now)
        let noted: [String]
        (snapshot.issues, noted) = try await issues(of: project)
        snapshot.issueDays = await days(of: snapshot.issues.map(\.id))
        await addPlaces(to: &snapshot)
        snapshot.notes = await notes(on: noted)
        try parts.checkRun()
        snapshot.warnings = parts.warnings
        return snapshot
    }

}

// MARK: Issues

extension GlitchtipRun {
    /// The issues, and the ids of those with notes.
    private mutating func issues(
        of project: String
    ) async throws(ServiceFault) -> (issues: [Issue], noted: [String]) {
        // A list that moves while its pages are read may show one issue twice.
        var seen: Set<String> = []
        var noted: [String] = []
        let pages = try await parts.client.pages(
            from: GlitchtipEndpoint.issues(
                organization: configuration.organization, project: project,
                environment: configuration.environment),
            by: .cursor(of: GlitchtipIssue.self), most: configuration.mostPages
        ) { item in
            guard let issue = issue(item), seen.insert(issue.id).inserted else { return Issue?.none }
            if item.noteCount?.value?.value ?? 0 > 0 { noted.append(issue.id) }
            return issue
        }
        parts.add(pages.warnings)
        return (pages.elements, noted)
    }

    private mutating func days(of issues: [String]) async -> [IssueDay] {
        let first = now.date.advanced(by: -glitchtipIssueDays + 1)
        let known = Set(issues)
        var days: [IssueDay] = []
        for start in stride(from: 0, to: issues.count, by: GlitchtipEndpoint.mostIssuesOfStats) {
            let some = Array(issues.dropFirst(start).prefix(GlitchtipEndpoint.mostIssuesOfStats))
            let endpoint = GlitchtipEndpoint.issueStats(
                organization: configuration.organization, issues: some)
            do throws(ServiceFault) {
                let (stats, losses) = try await parts.client.value(
                    LossyArray<GlitchtipIssueStats>.self, at: endpoint)
                parts.add(losses.warnings)
                var seen: Set<String> = []
                for item in stats.values {
                    guard let id = item.id.text, known.contains(id), seen.insert(id).inserted else {
                        continue
                    }
                    days += issueDays(item.stats.days.values, of: id, first: first, at: now)
                }
            } catch {
                parts.addMissing(endpoint.part, error)
            }
        }
        return days
    }

    /// The places of the issues with most events.
    private mutating func addPlaces(to snapshot: inout Snapshot) async {
        let ranked = snapshot.issues.indices.sorted { first, second in
            let (left, right) = (snapshot.issues[first].events ?? 0, snapshot.issues[second].events ?? 0)
            return (right, first) < (left, second)
        }
        for index in ranked.prefix(max(0, configuration.mostDetailedIssues)) {
            let endpoint = GlitchtipEndpoint.latestEvent(issue: snapshot.issues[index].id)
            guard parts.client.allows(endpoint) else { return }
            do throws(ServiceFault) {
                let (event, losses) = try await parts.client.value(SentryAPIEvent.self, at: endpoint)
                parts.add(losses.warnings)
                snapshot.issues[index].place = place(of: event) ?? snapshot.issues[index].place
            } catch {
                // An event that its server no longer keeps costs nothing but the line.
                if error.status != 404 { parts.addMissing(endpoint.part, error) }
            }
        }
    }

    private mutating func notes(on issues: [String]) async -> [Note] {
        var notes: [Note] = []
        var leftOut = 0
        for id in issues {
            let endpoint = GlitchtipEndpoint.comments(issue: id)
            guard parts.client.allows(endpoint) else {
                leftOut += 1
                continue
            }
            do throws(ServiceFault) {
                let pages = try await parts.client.pages(
                    from: endpoint, by: .cursor(of: SentryAPINote.self), most: 1)
                parts.add(pages.warnings)
                notes += Providers.notes(pages.elements, on: id)
            } catch {
                parts.addMissing(endpoint.part, error)
            }
        }
        if leftOut > 0 { parts.addLeftOut("notes", leftOut) }
        return notes
    }
}

/// One element of the list as an issue; nil for reports of a browser's content policy.
func issue(_ item: GlitchtipIssue) -> Issue? {
    guard let id = item.id.text, item.type?.value?.text != "csp" else { return nil }
    return Issue(
        id: id,
        title: item.title?.nonEmpty ?? item.culprit?.nonEmpty ?? item.shortID?.nonEmpty ?? id,
        kind: item.level?.text == "fatal" ? .crash : .error, state: state(item.status?.text),
        place: place(of: item.metadata?.value), firstSeen: item.firstSeen?.instant,
        lastSeen: item.lastSeen?.instant, events: item.count?.value, users: nil,
        url: page(item.page?.value?.text))
}

private func state(_ status: String?) -> Issue.State {
    switch status {
    case "resolved": .closed
    case "ignored": .muted
    default: .open
    }
}

/// The server sends the words `Not implemented` where an address would stand.
private func page(_ text: String?) -> String? {
    guard let text, text.hasPrefix("https://") || text.hasPrefix("http://"),
        text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return nil }
    return text
}

/// One address of GlitchTip's API.
enum GlitchtipEndpoint: ServiceEndpoint {
    case projects(organization: String)
    case issues(organization: String, project: String, environment: String?)
    case issueStats(organization: String, issues: [String])
    case comments(issue: String)
    case latestEvent(issue: String)

    /// How many issues one question about days may name.
    static let mostIssuesOfStats = 200

    var call: ServiceCall {
        ServiceCall(segments: segments, query: query, part: what, group: family, endsWithSlash: true)
    }

    private var segments: [String] {
        switch self {
        case .projects(let organization): ["organizations", organization, "projects"]
        case .issues(let organization, _, _): ["organizations", organization, "issues"]
        case .issueStats(let organization, _): ["organizations", organization, "issues-stats"]
        case .comments(let issue): ["issues", issue, "comments"]
        case .latestEvent(let issue): ["issues", issue, "events", "latest"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .projects, .comments, .latestEvent: []
        case .issues(_, let project, let environment):
            // Sentry's words for sorting are refused, and a start would be about the first time seen.
            [("project", project)] + (environment.map { [("environment", $0)] } ?? [])
                + [("sort", "-last_seen"), ("limit", "100")]
        case .issueStats(_, let issues):
            issues.map { ("groups", $0) } + [("statsPeriod", "\(glitchtipIssueDays)d")]
        }
    }

    private var what: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .issueStats: "days of issues"
        case .comments(let issue): "notes on issue \(issue)"
        case .latestEvent(let issue): "place and line of issue \(issue)"
        }
    }

    /// What the service limits together; after an answer of 429 no more of it is requested.
    private var family: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .issueStats: "stats"
        case .comments: "comments"
        case .latestEvent: "event"
        }
    }
}

/// The days for which an issue's time line is asked.
let glitchtipIssueDays = 14
