import AppHealth

/// What a question about sessions requests.
enum SessionQuestion: Sendable {
    /// Sessions by status; of all releases together or of each.
    case statuses(byRelease: Bool)
    /// Sessions, users and the rate of users without a crash; of all releases together or of each.
    case users(byRelease: Bool)
    /// Users who are distinct over the whole span.
    case usersOfSpan

    fileprivate var query: [(String, String)] {
        switch self {
        case .statuses(let byRelease):
            [("field", "sum(session)"), ("groupBy", "session.status")]
                + (byRelease ? [("groupBy", "release")] : [])
        case .users(let byRelease):
            // The first field decides which groups are skipped when there are too many.
            [
                ("field", "sum(session)"), ("field", "count_unique(user)"),
                ("field", "crash_free_rate(user)"),
            ]
                + (byRelease ? [("groupBy", "release")] : [])
        case .usersOfSpan: [("field", "count_unique(user)")]
        }
    }

    fileprivate var part: String {
        switch self {
        case .statuses(false): "sessions"
        case .statuses(true): "sessions of releases"
        case .users(false): "users"
        case .users(true): "users of releases"
        case .usersOfSpan: "users of a week or a month"
        }
    }
}

/// Which project of which organization, in which environment.
struct SentryScope: Sendable {
    var organization: String
    var project: String
    var environment: String?

    fileprivate var query: [(String, String)] {
        [("project", project)] + (environment.map { [("environment", $0)] } ?? [])
    }
}

/// One address of Sentry's API.
enum SentryEndpoint: ServiceEndpoint {
    case projects(organization: String)
    case sessions(SessionQuestion, DaySpan, SentryScope)
    case releases(SentryScope)
    case issues(SentryScope)
    /// Sessions by status in the hours from the first to the last, both included.
    case sessionsByHour(ClosedRange<UTCHour>, SentryScope)
    /// The issues with most events of the last 24 hours, hour by hour.
    case issuesByHour(SentryScope)
    /// The issues that most users met on one day; events and users are of that day.
    case issuesOfDay(CivilDate, SentryScope)
    case issue(String, organization: String)
    case latestEvent(issue: String, organization: String)

    /// The most issues of one page.
    static let mostIssues = 100

    var call: ServiceCall {
        ServiceCall(segments: segments, query: query, part: what, group: family, endsWithSlash: true)
    }

    private var segments: [String] {
        switch self {
        case .projects(let organization): ["organizations", organization, "projects"]
        case .sessions(_, _, let scope), .sessionsByHour(_, let scope):
            ["organizations", scope.organization, "sessions"]
        case .releases(let scope): ["organizations", scope.organization, "releases"]
        case .issues(let scope), .issuesByHour(let scope), .issuesOfDay(_, let scope):
            ["organizations", scope.organization, "issues"]
        case .issue(let id, let organization): ["organizations", organization, "issues", id]
        case .latestEvent(let issue, let organization):
            ["organizations", organization, "issues", issue, "events", "latest"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .projects: [("per_page", "100")]
        case .sessions(let question, let days, let scope):
            scope.query + question.query + [
                ("interval", "1d"), ("start", "\(days.first)T00:00:00"), ("end", "\(days.last)T23:59:59"),
            ]
        case .releases(let scope): scope.query + [("per_page", "100")]
        case .issues(let scope): Self.issues(of: "\(sentryIssueDays)d", scope)
        case .issuesByHour(let scope): Self.issues(of: "24h", scope)
        case .issuesOfDay(let day, let scope):
            scope.query + [
                ("query", "issue.category:error"), ("sort", "user"), ("limit", String(Self.mostIssues)),
                ("collapse", "stats"), ("start", "\(day)T00:00:00"),
                ("end", "\(day.advanced(by: 1))T00:00:00"),
            ]
        case .sessionsByHour(let hours, let scope):
            scope.query + SessionQuestion.statuses(byRelease: false).query + [
                ("interval", "1h"), ("start", "\(hours.lowerBound)".replacing("Z", with: "")),
                ("end", "\(hours.upperBound.start.advanced(bySeconds: 3599))".replacing("Z", with: "")),
            ]
        case .issue, .latestEvent: []
        }
    }

    private static func issues(of span: String, _ scope: SentryScope) -> [(String, String)] {
        // Without a query only unresolved issues are returned, without the category also slow pages.
        scope.query + [
            ("query", "issue.category:error"), ("sort", "freq"), ("limit", String(Self.mostIssues)),
            ("statsPeriod", span),
            ("groupStatsPeriod", span),
        ]
    }

    private var what: String {
        switch self {
        case .projects: "projects"
        case .sessions(let question, _, _): question.part
        case .releases: "releases"
        case .issues: "issues"
        case .sessionsByHour: "sessions by hour"
        case .issuesByHour: "issues by hour"
        case .issuesOfDay: "users of issues by day"
        case .issue(let id, _): "notes and versions of issue \(id)"
        case .latestEvent(let issue, _): "place and line of issue \(issue)"
        }
    }

    /// What the service limits together; after a response of 429 no more of it is requested.
    private var family: String {
        switch self {
        case .projects: "projects"
        case .sessions, .sessionsByHour: "sessions"
        case .releases: "releases"
        case .issues, .issuesByHour, .issuesOfDay: "issues"
        case .issue: "issue"
        case .latestEvent: "event"
        }
    }
}

/// The days over which issues are counted; the only span of days for which the list gives days one by one.
let sentryIssueDays = 14
