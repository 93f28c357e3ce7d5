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
        /// The sessions of these days that it is in at most.
        fileprivate var ratedSessions: Int?
    }

    private let byRelease: [String: [String: Count]]
    /// The known sessions of each release that has sessions by day.
    private let sums: [String: Int]

    /// Reads the days of all issues in single releases.
    ///
    /// - Parameter sessions: sessions of each release by day.
    init(_ index: HistoryIndex, sessions: [String: [CivilDate: Int]]) {
        var byRelease: [String: [String: Count]] = [:]
        for (id, days) in index.issues.releaseDays {
            for day in days {
                guard let label = day.version else { continue }
                let met = sessions[label]?[day.date].flatMap { index.mostSessions(meeting: day, of: $0) }
                byRelease[label, default: [:]][id, default: Count()].add(day, met: met)
            }
        }
        self.byRelease = byRelease
        sums = sessions.mapValues { $0.values.reduce(0, &+) }
    }

    /// The sessions of a release that the events of its issues are held against: those by day, else those of its life.
    func sessions(of label: String, life: Int?) -> Int? { sums[label] ?? life }

    /// The sessions of a release that an issue is in at most, of all of the days on which both are known; nil without
    /// sessions or events.
    ///
    /// - Parameter life: the sessions of its life, for a release without sessions by day.
    func share(of count: Count, in label: String, life: Int?) -> Fraction? {
        sessions(of: label, life: life).flatMap { all in
            let met = sums[label] == nil ? count.rowEvents.map { min($0, all) } : count.ratedSessions
            return (met ?? count.rowEvents.map { _ in 0 }).flatMap { Fraction($0, of: all) }
        }
    }

    /// The events of an issue in a release for its sessions, of the same days: there may be several in one. Nil without
    /// sessions or events.
    func perSession(_ count: Count, in label: String, life: Int?) -> (events: Int, sessions: Int)? {
        let isByDay = sums[label] != nil
        let events = isByDay ? count.ratedEvents ?? count.rowEvents.map { _ in 0 } : count.rowEvents
        return sessions(of: label, life: life).flatMap { sessions in
            sessions > 0 ? events.map { (events: $0, sessions: sessions) } : nil
        }
    }

    /// The issues that have rows in a release, by id.
    func rows(in label: String) -> [String: Count] { byRelease[label] ?? [:] }

    /// The issues that were seen in a release, by id.
    func issues(in label: String) -> [String: Count] { rows(in: label).filter(\.value.isSeen) }
}

extension SeenIssues.Count {
    /// - Parameter met: In how many of the sessions it is at most; nil where these, or its events, are not known.
    fileprivate mutating func add(_ day: IssueDay, met: Int?) {
        if let more = day.events { rowEvents = (rowEvents ?? 0) &+ more }
        if let met, let more = day.events {
            ratedEvents = (ratedEvents ?? 0) &+ more
            ratedSessions = (ratedSessions ?? 0) &+ met
        }
        guard (day.events ?? 0) > 0 || (day.users ?? 0) > 0 else { return }
        isSeen = true
        if let more = day.events { events = (events ?? 0) &+ more }
        if let users = day.users { mostUsers = max(mostUsers ?? 0, users) }
    }
}
