import AppHealth

/// What was counted of each issue in each release.
struct SeenIssues {
    /// An issue in a release.
    struct Count {
        /// Its events on the days on which it was seen, added up; nil when the source counts none.
        var events: Int?
        /// The most users of one day: at least as many met it. Users of days are never added up.
        var mostUsers: Int?
        /// Whether anything was counted of it on any day.
        var isSeen = false
        /// The events of all of its rows, those with nothing in them too.
        var rowEvents: Int?
    }

    private let byRelease: [String: [String: Count]]

    /// Reads the days of all issues in single releases.
    init(_ index: HistoryIndex) {
        var byRelease: [String: [String: Count]] = [:]
        for (id, days) in index.issueReleaseDays {
            for day in days {
                guard let label = day.version else { continue }
                byRelease[label, default: [:]][id, default: Count()].add(day)
            }
        }
        self.byRelease = byRelease
    }

    /// The issues that have rows in a release, by id.
    func rows(in label: String) -> [String: Count] { byRelease[label] ?? [:] }

    /// The issues that were seen in a release, by id.
    func issues(in label: String) -> [String: Count] { rows(in: label).filter(\.value.isSeen) }
}

extension SeenIssues.Count {
    fileprivate mutating func add(_ day: IssueDay) {
        if let more = day.events { rowEvents = (rowEvents ?? 0) &+ more }
        guard (day.events ?? 0) > 0 || (day.users ?? 0) > 0 else { return }
        isSeen = true
        if let more = day.events { events = (events ?? 0) &+ more }
        if let users = day.users { mostUsers = max(mostUsers ?? 0, users) }
    }
}
