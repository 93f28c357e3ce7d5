import AppHealth

/// What a question about sessions requests.
enum SessionQuestion: Sendable {
    /// Sessions by status; of all releases together or of each.
    case statuses(byRelease: Bool)
    /// Sessions, users and the rate of users without a crash; of all releases together or of each.
    case users(byRelease: Bool)
    /// Users who are distinct over the whole span.
    case usersOfSpan
    /// Sessions by environment.
    case environments

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
        case .environments: [("field", "sum(session)"), ("groupBy", "environment")]
        }
    }

    fileprivate var part: String {
        switch self {
        case .statuses(false): "sessions"
        case .statuses(true): "sessions of releases"
        case .users(false): "users"
        case .users(true): "users of releases"
        case .usersOfSpan: "users of a week or a month"
        case .environments: "environments with sessions"
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
    /// The issues of some days with the events of each day of them; `auto` gives whole days for 18 to 43 of them.
    case issues(DaySpan, SentryScope)
    /// The issues of the last 14 days, for servers that do not know the former.
    case issuesOfFortnight(SentryScope)
    /// Sessions by status in the hours from the first to the last, both included.
    case sessionsByHour(ClosedRange<UTCHour>, SentryScope)
    /// The issues with most events of the last 24 hours, hour by hour.
    case issuesByHour(SentryScope)
    /// The issues that most users met on one day; events and users are of that day.
    case issuesOfDay(CivilDate, SentryScope)
    /// The issues with these ids that are there, whether they had events or not.
    case issuesByID([String], SentryScope)
    case issue(String, organization: String)
    case latestEvent(issue: String, organization: String)
    /// The crash events of each day, as a table.
    case crashTable(DaySpan, SentryScope)
    /// The same as a series, where there are no tables.
    case crashSeries(DaySpan, SentryScope)
    /// Events and users of each issue in each release on one day, most events first, as a table.
    case releaseTable(CivilDate, SentryScope)
    /// All events of one day as a table, which is refused for a day that is not kept any more.
    case eventsOfDay(CivilDate, SentryScope)
    /// One project by its slug or id.
    case project(String, organization: String)

    /// The most issues of one page.
    static let mostIssues = 100

    var call: ServiceCall {
        ServiceCall(segments: segments, query: query, part: what, group: family, endsWithSlash: true)
    }

    private var segments: [String] {
        switch self {
        case .projects(let organization): ["organizations", organization, "projects"]
        case .project(let name, let organization): ["projects", organization, name]
        case .sessions(_, _, let scope), .sessionsByHour(_, let scope):
            ["organizations", scope.organization, "sessions"]
        case .releases(let scope): ["organizations", scope.organization, "releases"]
        case .issues(_, let scope), .issuesOfFortnight(let scope), .issuesByHour(let scope),
            .issuesOfDay(_, let scope), .issuesByID(_, let scope):
            ["organizations", scope.organization, "issues"]
        case .crashTable(_, let scope), .releaseTable(_, let scope), .eventsOfDay(_, let scope):
            ["organizations", scope.organization, "events"]
        case .crashSeries(_, let scope): ["organizations", scope.organization, "events-timeseries"]
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
        case .issues(let days, let scope):
            Self.issues(by: "auto", scope) + Self.days(days.first, days.last)
        case .issuesOfFortnight(let scope):
            Self.issues(by: "\(sentryIssueDays)d", scope) + [("statsPeriod", "\(sentryIssueDays)d")]
        case .issuesByHour(let scope): Self.issues(by: "24h", scope) + [("statsPeriod", "24h")]
        case .issuesOfDay(let day, let scope):
            // With `collapse=stats` the service sends neither events nor users; an empty period skips the time lines alone.
            scope.query + [
                ("query", "issue.category:error"), ("sort", "user"), ("limit", String(Self.mostIssues)),
                ("groupStatsPeriod", ""), ("collapse", "filtered"), ("collapse", "unhandled"),
            ] + Self.days(day, day)
        case .issuesByID(let ids, let scope): scope.query + ids.map { ("group", $0) }
        case .sessionsByHour(let hours, let scope):
            scope.query + SessionQuestion.statuses(byRelease: false).query + [
                ("interval", "1h"), ("start", "\(hours.lowerBound)".replacing("Z", with: "")),
                ("end", "\(hours.upperBound.start.advanced(bySeconds: 3599))".replacing("Z", with: "")),
            ]
        case .project, .issue, .latestEvent: []
        case .crashTable(let days, let scope):
            Self.table(["timestamp.to_day", "count()"], scope) + [
                ("query", sentryCrashQuery), ("sort", "-timestamp.to_day"),
            ] + Self.days(days.first, days.last)
        case .crashSeries(let days, let scope):
            scope.query + [
                ("dataset", "errors"), ("yAxis", "count()"), ("interval", "86400"),
                ("query", sentryCrashQuery),
            ] + Self.days(days.first, days.last)
        case .releaseTable(let day, let scope):
            Self.table(["issue.id", "release", "count()", "count_unique(user)"], scope) + [
                ("sort", "-count()")
            ] + Self.days(day, day)
        case .eventsOfDay(let day, let scope):
            scope.query + [("dataset", "errors"), ("field", "count()"), ("per_page", "1")]
                + Self.days(day, day)
        }
    }

    /// From the beginning of a day to the end of another.
    private static func days(_ first: CivilDate, _ last: CivilDate) -> [(String, String)] {
        [("start", "\(first)T00:00:00"), ("end", "\(last.advanced(by: 1))T00:00:00")]
    }

    private static func table(_ fields: [String], _ scope: SentryScope) -> [(String, String)] {
        scope.query + [("dataset", "errors")] + fields.map { ("field", $0) }
            + [("per_page", String(mostIssues))]
    }

    private static func issues(by period: String, _ scope: SentryScope) -> [(String, String)] {
        // Without a query only unresolved issues are returned, without the category also slow pages.
        scope.query + [
            ("query", "issue.category:error"), ("sort", "freq"), ("limit", String(Self.mostIssues)),
            ("groupStatsPeriod", period),
        ]
    }

    private var what: String {
        switch self {
        case .projects: "projects"
        case .project: "project by slug or id"
        case .sessions(let question, _, _): question.part
        case .releases: "releases"
        case .issues, .issuesOfFortnight: "issues"
        case .crashTable, .crashSeries: "crashes by day"
        case .releaseTable: "issues of releases by day"
        case .eventsOfDay: "how far back events are kept"
        case .sessionsByHour: "sessions by hour"
        case .issuesByHour: "issues by hour"
        case .issuesOfDay: "users of issues by day"
        case .issuesByID: "stored issues that are still there"
        case .issue(let id, _): "notes and versions of issue \(id)"
        case .latestEvent(let issue, _): "place and line of issue \(issue)"
        }
    }

    /// What the service limits together; after a response of 429 no more of it is requested.
    private var family: String {
        switch self {
        case .projects, .project: "projects"
        case .sessions, .sessionsByHour: "sessions"
        case .releases: "releases"
        case .issues, .issuesOfFortnight, .issuesByHour, .issuesOfDay, .issuesByID: "issues"
        case .crashTable, .crashSeries, .releaseTable, .eventsOfDay: "events"
        case .issue: "issue"
        case .latestEvent: "event"
        }
    }
}

/// The days over which issues are counted where the list gives days one by one for this span alone.
let sentryIssueDays = 14
/// The whole days over which issues are counted elsewhere.
let sentryListDays = 28
/// What crashes are in a search: the events that ended the app, without those that stand for a hang.
let sentryCrashQuery =
    "level:fatal !error.type:[\(sentryHangClasses.map { "\"\($0)\"" }.joined(separator: ","))]"
