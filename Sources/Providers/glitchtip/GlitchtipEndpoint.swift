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
