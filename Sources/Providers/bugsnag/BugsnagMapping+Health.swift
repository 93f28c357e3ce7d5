import AppHealth

/// The days of the trend. A bucket of another length than a day, or with more crashed than all, is left out.
func healthDays(of trend: BugsnagTrend, losses: inout Losses) -> [HealthDay] {
    var seen: Set<CivilDate> = []
    return trend.points.items.compactMap { item in
        let path = "timeline_points[\(item.index)]"
        let point = item.value
        let isGood =
            isDay(point, at: path, losses: &losses)
            && losses.isPart(
                point.crashedSessions, of: point.sessions, at: "\(path).unhandled_sessions_count",
                "sessions of that day")
            && losses.isPart(
                point.crashedUsers, of: point.users, at: "\(path).users_with_unhandled", "users of that day"
            )
            && losses.isFirst(point.start.instant.date, in: &seen, at: path, "a day")
        return isGood ? healthDay(of: point) : nil
    }
}

private func isDay(_ point: BugsnagTrend.Point, at path: String, losses: inout Losses) -> Bool {
    guard let end = point.end?.instant, point.start.instant.seconds(to: end) != 86_400 else {
        return true
    }
    losses.refuse(
        "\(path).bucket_end", expected: "the end of a day that begins at \(point.start.instant)",
        found: "\(end)")
    return false
}

/// Where an app reports no users, the service says 0 of them on a day with sessions: they are unknown then.
private func healthDay(of point: BugsnagTrend.Point) -> HealthDay {
    let knowsUsers = point.sessions.value == 0 || (point.users?.value ?? 0) > 0
    return HealthDay(
        date: point.start.instant.date, sessions: point.sessions.value,
        crashedSessions: point.crashedSessions.value,
        users: knowsUsers ? point.users?.value : nil,
        crashedUsers: knowsUsers ? point.crashedUsers?.value : nil)
}
