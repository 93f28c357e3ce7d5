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
        /// Of these the ones of days on which the sessions of the release are known.
        fileprivate var ratedEvents: Int?
    }

    private let byRelease: [String: [String: Count]]
    /// The known sessions of each release that has sessions by day.
    private let sums: [String: Int]

    /// Reads the days of all issues in single releases.
    ///
    /// - Parameter sessions: sessions of each release by day.
    init(_ index: HistoryIndex, sessions: [String: [CivilDate: Int]]) {
        var byRelease: [String: [String: Count]] = [:]
        for (id, days) in index.issueReleaseDays {
            for day in days {
                guard let label = day.version else { continue }
                let isRated = sessions[label]?[day.date] != nil
                byRelease[label, default: [:]][id, default: Count()].add(day, isRated: isRated)
            }
        }
        self.byRelease = byRelease
        sums = sessions.mapValues { $0.values.reduce(0, &+) }
    }

    /// The sessions of a release that the events of its issues are held against: those by day, else those of its life.
    func sessions(of label: String, life: Int?) -> Int? { sums[label] ?? life }

    /// The events of an issue in a release for each of its sessions, of the days of which both are known; nil without
    /// sessions or events.
    ///
    /// - Parameter life: the sessions of its life, for a release without sessions by day.
    func share(of count: Count, in label: String, life: Int?) -> Fraction? {
        let isByDay = sums[label] != nil
        let events = isByDay ? count.ratedEvents ?? count.rowEvents.map { _ in 0 } : count.rowEvents
        return events.flatMap { events in
            sessions(of: label, life: life).flatMap { Fraction(events, of: $0) }
        }
    }

    /// The issues that have rows in a release, by id.
    func rows(in label: String) -> [String: Count] { byRelease[label] ?? [:] }

    /// The issues that were seen in a release, by id.
    func issues(in label: String) -> [String: Count] { rows(in: label).filter(\.value.isSeen) }
}

extension SeenIssues.Count {
    fileprivate mutating func add(_ day: IssueDay, isRated: Bool) {
        if let more = day.events { rowEvents = (rowEvents ?? 0) &+ more }
        if isRated, let more = day.events { ratedEvents = (ratedEvents ?? 0) &+ more }
        guard (day.events ?? 0) > 0 || (day.users ?? 0) > 0 else { return }
        isSeen = true
        if let more = day.events { events = (events ?? 0) &+ more }
        if let users = day.users { mostUsers = max(mostUsers ?? 0, users) }
    }
}
