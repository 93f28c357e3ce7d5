import AppHealth
import Diagnostics

/// One address of the Data Access API.
enum BugsnagEndpoint: ServiceEndpoint {
    case organizations
    case projects(organization: String)
    case stabilityTrend(project: String)
    case releaseGroups(project: String, stage: String)
    case releases(project: String, stage: String)
    case eventFields(project: String)
    /// Filtered by a release stage where one is given.
    case errors(project: String, stage: String?)
    /// Those that have an event which nothing handled.
    case unhandledErrors(project: String, stage: String?)
    /// The errors that most users met on a day; their counts are of that day.
    case errorsOfDay(String, project: String, stage: String?)
    case comments(project: String, error: String)

    /// The most errors of one page.
    static let mostErrors = 30

    var call: ServiceCall { ServiceCall(segments: segments, query: query, part: what) }

    private var segments: [String] {
        switch self {
        case .organizations: ["user", "organizations"]
        case .projects(let organization): ["organizations", organization, "projects"]
        case .stabilityTrend(let project): ["projects", project, "stability_trend"]
        case .releaseGroups(let project, _): ["projects", project, "release_groups"]
        case .releases(let project, _): ["projects", project, "releases"]
        case .eventFields(let project): ["projects", project, "event_fields"]
        case .errors(let project, _): ["projects", project, "errors"]
        case .unhandledErrors(let project, _): ["projects", project, "errors"]
        case .errorsOfDay(_, let project, _): ["projects", project, "errors"]
        case .comments(let project, let error): ["projects", project, "errors", error, "comments"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .organizations, .stabilityTrend, .eventFields, .comments: []
        case .projects: [("per_page", "100")]
        case .releaseGroups(_, let stage): [("release_stage_name", stage)]
        case .releases(_, let stage): [("release_stage", stage), ("sort", "timestamp")]
        case .errors(_, let stage):
            [
                ("sort", "events"), ("direction", "desc"), ("per_page", String(Self.mostErrors)),
                ("histogram", "two_week"),
            ]
                + (stage.map { filter(BugsnagEventField.releaseStage, equals: $0) } ?? [])
        case .unhandledErrors(_, let stage):
            [("sort", "events"), ("direction", "desc"), ("per_page", String(Self.mostErrors))]
                + filter(BugsnagEventField.unhandled, equals: "true")
                + (stage.map { filter(BugsnagEventField.releaseStage, equals: $0) } ?? [])
        case .errorsOfDay(let day, _, let stage):
            [("sort", "users"), ("direction", "desc"), ("per_page", String(Self.mostErrors))]
                + filter("event.since", equals: "\(day)T00:00:00Z")
                + filter("event.before", equals: "\(Self.next(day))T00:00:00Z")
                + (stage.map { filter(BugsnagEventField.releaseStage, equals: $0) } ?? [])
        }
    }

    private static func next(_ day: String) -> String {
        CivilDate(day).map { "\($0.advanced(by: 1))" } ?? "{next day}"
    }

    private func filter(_ field: String, equals value: String) -> [(String, String)] {
        [("filters[\(field)][][type]", "eq"), ("filters[\(field)][][value]", value)]
    }

    private var what: String {
        switch self {
        case .organizations: "organizations"
        case .projects: "projects"
        case .stabilityTrend: "sessions and users"
        case .releaseGroups: "versions"
        case .releases: "builds"
        case .eventFields: "event fields"
        case .errors: "issues"
        case .unhandledErrors: "unhandled issues"
        case .errorsOfDay: "users of issues by day"
        case .comments(_, let error): "notes on issue \(printable(error))"
        }
    }
}
