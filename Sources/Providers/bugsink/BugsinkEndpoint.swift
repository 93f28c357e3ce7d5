import AppHealth

/// What a list of issues begins with.
enum BugsinkOrder: String, CaseIterable, Sendable {
    /// Those with most events over their lives.
    case events = "digested_event_count"
    /// Those that were seen last.
    case lastSeen = "last_seen"
}

/// One address of the canonical API, which lies below `api/canonical/0/`; every path ends with a slash.
enum BugsinkEndpoint: ServiceEndpoint {
    case projects
    case issues(project: String, BugsinkOrder = .events)
    /// The issues with an event that nothing handled.
    case unhandledIssues(project: String, BugsinkOrder = .events)
    case releases(project: String)
    case eventCounts(issue: String, start: String)
    case totals(project: String, start: String)
    case users(issue: String)
    /// How many events of an issue were handled, and how many not.
    case handled(issue: String)
    case events(issue: String)
    case event(String)
    case history(issue: String)

    /// What the events of the project are called in messages.
    static let totalsPart = "crashes by day"
    /// What the events of an issue are called in messages.
    static let daysPart = "counts by day"

    var call: ServiceCall {
        ServiceCall(
            segments: ["api", "canonical", "0"] + segments, query: query, part: what, endsWithSlash: true)
    }

    private var segments: [String] {
        switch self {
        case .projects: ["projects"]
        case .issues, .unhandledIssues: ["issues"]
        case .releases: ["releases"]
        case .eventCounts(let issue, _): ["issues", issue, "event-counts"]
        case .totals(let project, _): ["projects", project, "event-counts"]
        case .users(let issue), .handled(let issue): ["issues", issue, "tags"]
        case .events: ["events"]
        case .event(let id): ["events", id]
        case .history: ["issue-history"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .projects, .event: []
        case .issues(let project, let order):
            [("project", project), ("sort", order.rawValue), ("order", "desc")]
        case .unhandledIssues(let project, let order):
            [("project", project), ("q", "handled:false"), ("sort", order.rawValue), ("order", "desc")]
        case .releases(let project): [("project", project)]
        case .eventCounts(_, let start), .totals(_, let start): [("start", start)]
        case .users: [("key", "user")]
        case .handled: [("key", "handled")]
        case .events(let issue): [("issue", issue), ("order", "desc")]
        case .history(let issue): [("issue", issue)]
        }
    }

    private var what: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .releases: "releases"
        case .eventCounts: Self.daysPart
        case .unhandledIssues, .handled: "crash or handled"
        case .totals: Self.totalsPart
        case .users: "users"
        case .events, .event: "place and kind"
        case .history: "notes"
        }
    }
}
