import AppHealth
import Transport

/// One address of the canonical API, which lies below `api/canonical/0/`; every path ends with a slash.
enum BugsinkEndpoint {
    case projects
    case issues(project: String)
    case releases(project: String)
    case eventCounts(issue: String, start: String)
    case users(issue: String)
    case events(issue: String)
    case event(String)
    case history(issue: String)

    private var segments: [String] {
        switch self {
        case .projects: ["projects"]
        case .issues: ["issues"]
        case .releases: ["releases"]
        case .eventCounts(let issue, _): ["issues", issue, "event-counts"]
        case .users(let issue): ["issues", issue, "tags"]
        case .events: ["events"]
        case .event(let id): ["events", id]
        case .history: ["issue-history"]
        }
    }

    private var query: [(String, String)] {
        switch self {
        case .projects, .event: []
        case .issues(let project):
            [("project", project), ("sort", "digested_event_count"), ("order", "desc")]
        case .releases(let project): [("project", project)]
        case .eventCounts(_, let start): [("start", start)]
        case .users: [("key", "user")]
        case .events(let issue): [("issue", issue), ("order", "desc")]
        case .history(let issue): [("issue", issue)]
        }
    }

    /// What a person calls what is learnt from it.
    var part: String {
        switch self {
        case .projects: "projects"
        case .issues: "issues"
        case .releases: "releases"
        case .eventCounts: "counts by day"
        case .users: "users"
        case .events, .event: "place and kind"
        case .history: "notes"
        }
    }

    /// Its address; ids are percent-encoded, and one that would change the path is refused.
    func address(below base: Address) throws(AddressError) -> Address {
        var address = base
        for segment in ["api", "canonical", "0"] + segments { address = try address.appending(segment) }
        return try address.appending("").adding(query: query)
    }

    /// Its address for a person, ids as they are.
    func text(below base: Address) -> String {
        let root = base.description
        let start = root.hasSuffix("/") ? String(root.dropLast()) : root
        let path = ([start, "api", "canonical", "0"] + segments).joined(separator: "/") + "/"
        let query = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }
}
