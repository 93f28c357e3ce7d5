import AppHealth

/// A key by which the events of an issue are distinguished.
enum GlitchtipTagKey: String, CaseIterable, Sendable {
    case user = "user.id"
    case release
}

/// One address of GlitchTip's API.
enum GlitchtipEndpoint: ServiceEndpoint {
    case projects(organization: String)
    case issues(organization: String, project: String, environment: String?, sort: String)
    case issueStats(organization: String, issues: [String])
    /// Events by hour from midnight of a day on, all issues together.
    case totals(organization: String, project: String, first: CivilDate, end: Instant)
    case releases(organization: String, project: String)
    case tags(issue: String, key: GlitchtipTagKey)
    case comments(issue: String)
    case latestEvent(issue: String)

    /// What the events of the project are called in messages.
    static let totalsPart = "crashes by day"
    /// What the events of issues are called in messages.
    static let daysPart = "days of issues"

    /// How many issues one question about days may name.
    static let mostIssuesOfStats = 200
    /// How many days of hours one question may span, the current one included: the server admits 1,000 hours.
    static let totalDays = 41

    var call: ServiceCall {
        ServiceCall(segments: segments, query: query, part: what, group: family, endsWithSlash: true)
    }

    private var segments: [String] {
        switch self {
        case .projects(let organization): ["organizations", organization, "projects"]
        case .issues(let organization, _, _, _): ["organizations", organization, "issues"]
        case .issueStats(let organization, _): ["organizations", organization, "issues-stats"]
        case .totals(let organization, _, _, _): ["organizations", organization, "stats_v2"]
        case .releases(let organization, _): ["organizations", organization, "releases"]
        case .tags(let issue, _): ["issues", issue, "tags"]
        case .comments(let issue): ["issues", issue, "comments"]
        case .latestEvent(let issue): ["issues", issue, "events", "latest"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .projects, .comments, .latestEvent: []
        case .totals(_, let project, let first, let end):
            // By days the server reports one hour of each.
            [
                ("project", project), ("category", "error"), ("field", "sum(quantity)"), ("interval", "1h"),
                ("start", "\(first)T00:00:00Z"), ("end", "\(end)"),
            ]
        case .releases(_, let project): [("project", project)]
        case .tags(_, let key): [("key", key.rawValue)]
        case .issues(_, let project, let environment, let sort):
            // Sentry's words for sorting are refused, and a start would be about the first time seen.
            [("project", project)] + (environment.map { [("environment", $0)] } ?? [])
                + [("sort", sort), ("limit", "100")]
        case .issueStats(_, let issues):
            issues.map { ("groups", $0) } + [("statsPeriod", "\(glitchtipIssueDays)d")]
        }
    }

    private var what: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .issueStats: Self.daysPart
        case .totals: Self.totalsPart
        case .releases: "releases"
        case .tags: "users and versions"
        case .comments(let issue): "notes on issue \(issue)"
        case .latestEvent(let issue): "place and line of issue \(issue)"
        }
    }

    /// What the service limits together; after a response of 429 no more of it is requested.
    private var family: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .issueStats: "stats"
        case .totals: "totals"
        case .releases: "releases"
        case .tags: "tags"
        case .comments: "comments"
        case .latestEvent: "event"
        }
    }
}

/// The days for which an issue's time line is requested.
let glitchtipIssueDays = 14
