import AppHealth

extension AppPlan {
    /// The figures of all days of which the source has a record, as they are known in the end.
    func figures() -> [DayFigures] {
        DemoCalendar.days.filter { !missingDays.contains($0) }.map(figures(on:))
    }

    /// Each day has draws of its own, so that a change of one day leaves the others as they are.
    private func figures(on date: CivilDate) -> DayFigures {
        guard !idleDays.contains(date) else { return DayFigures(date: date, cells: [], newUsers: 0) }
        let dayWord = UInt64(bitPattern: Int64(date.daysSinceEpoch))
        var random = SplitMix64(seed: DemoCalendar.seed, seedWord(app), dayWord)
        let age = Double(DemoCalendar.firstDay.days(to: date)) / Double(DemoCalendar.days.count)
        let trend = dailyUsers * week[date.weekday - 1] * (1 + growth * age)
        let users = trend * random.factor(spread: userSpread)
        let mood = random.factor(spread: 0.05)
        let cells = releaseShares(on: date).enumerated().compactMap { release, share in
            cell(release, on: date, users: random.count(users * share), mood: mood, &random)
        }
        let newUsers = random.count(users * 0.031)
        return DayFigures(date: date, cells: cells, newUsers: newUsers)
    }

    private func cell(
        _ release: Int, on date: CivilDate, users: Int, mood: Double, _ random: inout SplitMix64
    ) -> ReleaseCell? {
        guard users > 0 else { return nil }
        let sessions = users + random.count(Double(users) * (sessionsPerUser - 1))
        var cell = ReleaseCell(release: release, users: users, sessions: sessions)
        cell.issues = issues.map { issue in
            let share = issue.share(on: date, release: release, in: self)
            return count(of: issue, share: share * mood, in: cell, &random)
        }
        addCrashes(to: &cell, &random)
        return cell
    }

    private func count(
        of issue: IssuePlan, share: Double, in cell: ReleaseCell, _ random: inout SplitMix64
    ) -> IssueCount {
        guard share > 0 else { return IssueCount() }
        let mean = Double(cell.users) * share * random.factor(spread: 0.06)
        let users = min(cell.users, random.count(mean))
        let more = random.count(Double(users) * (issue.eventsPerUser - 1))
        return IssueCount(events: min(users + more, cell.sessions), users: users)
    }

    /// Crashed sessions and users of a cell from its crashes; a few more were never grouped into an issue.
    private func addCrashes(to cell: inout ReleaseCell, _ random: inout SplitMix64) {
        let crashes = zip(issues, cell.issues).filter { $0.0.kind == .crash }.map(\.1)
        let events = crashes.reduce(0) { $0 + $1.events }
        let users = crashes.reduce(0) { $0 + $1.users }
        let ungrouped = random.count(Double(events) * 0.03)
        // Some users met two issues; none of them can be met by fewer than the most common one.
        let overlap = min(users * 2 / 100, users - (crashes.map(\.users).max() ?? 0))
        cell.crashedSessions = min(cell.sessions, events + ungrouped)
        cell.crashedUsers = min(cell.users, cell.crashedSessions, users - overlap + ungrouped)
    }
}
