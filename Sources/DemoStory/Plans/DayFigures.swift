package import AppHealth

/// What was counted of one app on one day.
package struct DayFigures: Equatable, Sendable {
    /// The day.
    package let date: CivilDate
    /// What was counted of each release that was used.
    package var cells: [ReleaseCell]
    /// Users seen for the first time.
    package var newUsers: Int

    /// Sessions of all releases.
    package var sessions: Int { sum(\.sessions) }
    /// Crashed sessions of all releases.
    package var crashedSessions: Int { sum(\.crashedSessions) }
    /// Users of all releases: a little fewer than the sum, because some have two releases on one day.
    package var users: Int { distinct(\.users) }
    /// Crashed users of all releases, likewise.
    package var crashedUsers: Int { distinct(\.crashedUsers) }

    /// Events and users of the issue at this position, in all releases.
    package func count(ofIssue position: Int) -> IssueCount {
        let users = distinct { $0.issues[position].users }
        return IssueCount(events: sum { $0.issues[position].events }, users: users)
    }

    /// Events of all issues.
    package var events: Int { sum { $0.issues.reduce(0) { $0 + $1.events } } }

    /// The sum less 12 in a thousand who were counted twice, and never fewer than one release has alone.
    private func distinct(_ count: (ReleaseCell) -> Int) -> Int {
        let sum = sum(count)
        return sum - min(sum * 12 / 1000, sum - (cells.map(count).max() ?? 0))
    }

    private func sum(_ count: (ReleaseCell) -> Int) -> Int {
        cells.reduce(0) { $0 + count($1) }
    }
}

/// What was counted of one release on one day.
package struct ReleaseCell: Equatable, Sendable {
    /// The position of the release in its plan.
    package let release: Int
    /// Distinct users.
    package var users: Int
    /// All sessions.
    package var sessions: Int
    /// Affected users of the day.
    package var crashedUsers = 0
    /// Sessions that ended in a crash.
    package var crashedSessions = 0
    /// What was counted of each issue, in the order of the plan.
    package var issues: [IssueCount] = []
}

extension DayFigures {
    /// The figures as the capture reports them: on the first morning the newest day lacks what came in late.
    func reported(of app: String, at capture: Instant) -> DayFigures {
        guard date.days(to: capture.date) == 1 else { return self }
        let dayWord = UInt64(bitPattern: Int64(date.daysSinceEpoch))
        var random = SplitMix64(seed: DemoCalendar.seed, seedWord(app), dayWord, seedWord("late"))
        let use = 960 + Int(random.next() % 20)
        // Crash reports wait for the next start of the app, so they are later than sessions.
        let crashes = use - 10 - Int(random.next() % 30)
        var day = self
        day.newUsers = part(newUsers, use)
        day.cells = cells.map { $0.reported(use: use, crashes: crashes) }
        return day
    }
}

extension ReleaseCell {
    fileprivate func reported(use: Int, crashes: Int) -> ReleaseCell {
        var cell = self
        cell.users = part(users, use)
        cell.sessions = part(sessions, use)
        cell.crashedUsers = part(crashedUsers, crashes)
        cell.crashedSessions = part(crashedSessions, crashes)
        cell.issues = issues.map {
            IssueCount(events: part($0.events, crashes), users: part($0.users, crashes))
        }
        return cell
    }
}

/// So many thousandths of the count, rounded up so that nothing that was seen becomes nothing.
private func part(_ count: Int, _ thousandths: Int) -> Int {
    (count * thousandths + 999) / 1000
}
