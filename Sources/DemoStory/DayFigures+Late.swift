import AppHealth

extension DayFigures {
    /// The figures as the capture tells them: on the first morning the newest day lacks what came in late.
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
