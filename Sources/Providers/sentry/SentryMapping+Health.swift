import AppHealth

/// The days of all releases together.
func healthDays(
    _ sessions: [CivilDate: SessionCounts], users: [CivilDate: UserCounts]
) -> [HealthDay] {
    sessions.sorted { $0.key < $1.key }.map { date, counts in
        HealthDay(
            date: date, sessions: counts.all, crashedSessions: counts.crashed, users: users[date]?.users,
            crashedUsers: users[date]?.crashed)
    }
}

/// The use of the app on each day; a day without known users tells sessions alone.
func usageDays(_ health: [HealthDay]) -> [UsageDay] {
    health.map { UsageDay(date: $0.date, activeUsers: $0.users, sessions: $0.sessions) }
}

/// The days of each version from the first on which it ran.
///
/// Several builds have one label. Their sessions are added up, for no session runs on two builds; their users
/// are known only where a single build ran that day.
func healthDays(
    byRelease sessions: [String: [CivilDate: SessionCounts]],
    users: [String: [CivilDate: UserCounts]],
    version: (String) -> Version
) -> [HealthDay] {
    let names = Set(sessions.keys).union(users.keys).subtracting([""])
    let byLabel = Dictionary(grouping: names.sorted(), by: { version($0).label })
    return byLabel.sorted { $0.key < $1.key }.flatMap { label, names -> [HealthDay] in
        let dates = Set(names.flatMap { daysKnown(sessions[$0]) + daysKnown(users[$0]) }).sorted()
        let days = dates.map { date in
            healthDay(label, date, names.map { (sessions[$0]?[date], users[$0]?[date]) })
        }
        return Array(days.drop { ($0.sessions ?? 0) == 0 && ($0.users ?? 0) == 0 })
    }
}

private func daysKnown<Value>(_ days: [CivilDate: Value]?) -> [CivilDate] {
    days.map { Array($0.keys) } ?? []
}

private func healthDay(
    _ label: String, _ date: CivilDate, _ builds: [(sessions: SessionCounts?, users: UserCounts?)]
) -> HealthDay {
    let ran = builds.filter { ($0.sessions?.all ?? $0.users?.sessions ?? 0) > 0 }
    var day = HealthDay(date: date, version: label)
    // A build that an answer does not name did not run; one that ran and has no statuses leaves no sum.
    let isWhole = ran.allSatisfy { $0.sessions != nil } && builds.contains { $0.sessions != nil }
    day.sessions = sum(
        isWhole ? builds.compactMap { $0.sessions?.all } : builds.compactMap { $0.users?.sessions })
    day.crashedSessions = isWhole ? sum(builds.compactMap { $0.sessions?.crashed }) : nil
    let only = ran.count == 1 ? ran.first?.users : ran.isEmpty ? builds.first?.users : nil
    (day.users, day.crashedUsers) = (only?.users, only?.crashed)
    return day
}

/// The sum, or nil when there is nothing to add up or the sum is beyond every number.
private func sum(_ counts: [Int]) -> Int? {
    counts.reduce(counts.isEmpty ? nil : 0) { total, next in
        guard let total else { return nil }
        let (sum, isOver) = total.addingReportingOverflow(next)
        return isOver ? nil : sum
    }
}
