import Analysis
import AppHealth

/// What was counted of each issue in each release.
struct SeenIssues: Sendable {
    /// An issue in a release.
    struct Count: Hashable, Sendable {
        /// Its events, added up over days; nil when the source counts none.
        var events: Int?
        /// The most users of one day: at least as many met it. Users of days are never added up.
        var mostUsers: Int?
    }

    private let byRelease: [String: [String: Count]]

    /// Reads the days of all issues in single releases.
    init(_ evidence: HistoryIndex) {
        var byRelease: [String: [String: Count]] = [:]
        for (id, days) in evidence.issueReleaseDays {
            for day in days {
                guard let label = day.version, (day.events ?? 0) > 0 || (day.users ?? 0) > 0 else { continue }
                byRelease[label, default: [:]][id, default: Count()].add(day)
            }
        }
        self.byRelease = byRelease
    }

    /// The issues that were seen in a release, by id.
    func issues(in label: String) -> [String: Count] { byRelease[label] ?? [:] }
}

extension SeenIssues.Count {
    fileprivate mutating func add(_ day: IssueDay) {
        if let more = day.events { events = (events ?? 0) &+ more }
        if let users = day.users { mostUsers = max(mostUsers ?? 0, users) }
    }
}
