import AppHealth

// Each of these is one step from the answers to days of use: what is read, what may not be known yet, and what sessions and
// first uses add.

extension WarehouseMapping {
    /// The users of days, weeks and months, with the sessions and the new users of the days.
    mutating func addUsage() {
        let reach = usageReach(answeredUsage)
        let answered = answeredUsage.filter { reach.knows($0.date) }
        if window.isFirst { firstDay = firstCounted(answered) }
        addGaps(answered)
        let new = newUserRows()
        let days = withSessions(answered.map { withWholeSpans($0, since: reach.partDay) }, newUsers: new)
        snapshot.usage = days.sorted { $0.date < $1.date }
        snapshot.coverage += coverageSpans(.usage, days.map(\.date), coverage(of: .usage))
    }

    mutating func usageRows() -> [UsageDay] {
        let rows = values(.usage) { row -> UsageDay? in
            guard let date = row.date("day") else { return nil }
            var day = UsageDay(date: date)
            day.activeUsers = row.count("active_users")
            day.weeklyActiveUsers = row.count("weekly_active_users")
            day.monthlyActiveUsers = row.count("monthly_active_users")
            return day
        }
        return rows ?? []
    }

    /// How far first uses are known; nil when there is no answer.
    private mutating func newUserRows() -> FirstUseReach? {
        let rows = values(.newUsers) { row -> (CivilDate, Int?)? in
            row.date("day").map { ($0, row.count("new_users")) }
        }
        return rows.map { FirstUseReach($0, isApart: hasFirstsTable) }
    }

    /// The day with the users of those spans alone that lie within what is there to count.
    ///
    /// - Parameter part: The oldest day, where its table has a part of it alone.
    private func withWholeSpans(_ day: UsageDay, since part: CivilDate?) -> UsageDay {
        var day = day
        if !isWhole(6, before: day.date, since: part) { day.weeklyActiveUsers = nil }
        if !isWhole(27, before: day.date, since: part) { day.monthlyActiveUsers = nil }
        return day
    }

    /// Whether a day and so many before it were all loaded.
    private func isWhole(_ days: Int, before date: CivilDate, since part: CivilDate?) -> Bool {
        let first = date.advanced(by: -days)
        if let part, part >= first { return false }
        // Where days before the oldest row are stored, the table lost a part of that row's day too.
        if let begin, begin == first, earlier.hasCounts(before: begin) { return false }
        if let begin = begin ?? firstDay, begin > first { return false }
        return !gaps.contains { $0 <= date && $0 >= first }
    }

    /// The days of the window on which anybody was active, with their sessions; new users are known after the first month.
    private func withSessions(_ known: [UsageDay], newUsers firsts: FirstUseReach?) -> [UsageDay] {
        let all = snapshot.health.filter { $0.version == nil && $0.sessions != nil }
        // A day without active users has no row there, or was never loaded.
        let sessions = Dictionary(all.map { ($0.date, $0) }) { first, _ in first }
        let namesUsers = tables[.days]?.has("users") == true
        return known.filter {
            window.days.contains($0.date) && (sessions.isEmpty || sessions[$0.date] != nil)
        }.map { day in
            let ofDay = sessions[day.date]
            var day = day.with(sessions: ofDay?.sessions)
            if namesUsers, let ofDay, ofDay.users == nil {
                // The users of a day whose sessions name none are unknown; those of the days before it still count in its
                // week.
                day.activeUsers = nil
            } else if let begin, begin <= day.date.advanced(by: -28) {
                day.newUsers = firsts?.newUsers(on: day.date)
            }
            return day
        }
    }

    /// Notes past days without any row before a day with some, where days have so many that none is no chance.
    private mutating func addGaps(_ usage: [UsageDay]) {
        let counts = snapshot.health.filter { $0.version == nil }.compactMap { day in
            day.sessions.map { (day.date, $0) }
        }
        let all = counts.isEmpty ? usage.compactMap { day in day.activeUsers.map { (day.date, $0) } } : counts
        let sizes = all.map(\.1).sorted()
        guard let last = all.map(\.0).max(),
            let first = [firstDay, begin].compactMap(\.self).max() ?? all.map(\.0).min(),
            sizes[sizes.count / 2] >= Self.leastUsual, max(first, window.days.lowerBound) <= last
        else { return }
        let loaded = Set(all.filter { $0.1 > 0 }.map(\.0))
        gaps.formUnion(
            (max(first, window.days.lowerBound)...last).all.filter { !loaded.contains($0) })
    }

    /// With so many sessions on an ordinary day, one without any was not loaded.
    private static let leastUsual = 30

    /// The first day with sessions or users, where the history that was asked for begins before it.
    private func firstCounted(_ usage: [UsageDay]) -> CivilDate? {
        let counted = snapshot.health.lazy.filter { $0.sessions != nil }.map(\.date) + usage.lazy.map(\.date)
        return counted.min().flatMap { $0 > window.days.lowerBound ? $0 : nil }
    }
}

extension UsageDay {
    /// With the sessions of the day. Who had one was active: where none is, none of these sessions names a user.
    fileprivate func with(sessions: Int?) -> UsageDay {
        var day = self
        day.sessions = sessions
        guard (sessions ?? 0) > 0 else { return day }
        if day.weeklyActiveUsers == 0 { day.weeklyActiveUsers = nil }
        if day.monthlyActiveUsers == 0 { day.monthlyActiveUsers = nil }
        return day
    }
}
