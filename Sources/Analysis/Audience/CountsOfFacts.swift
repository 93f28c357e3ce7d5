import AppHealth

// What is counted in each fact of a source. A test holds these lists against the fields.

extension HealthDay {
    var counts: [Int?] { [sessions, crashedSessions, users, crashedUsers, crashes] }
}

extension HealthHour {
    var counts: [Int?] { [sessions, crashedSessions] }
}

extension UsageDay {
    var counts: [Int?] { [activeUsers, weeklyActiveUsers, monthlyActiveUsers, newUsers, sessions] }
}

extension Issue {
    var counts: [Int?] { [events, users] }
}

extension IssueDay {
    var counts: [Int?] { [events, users] }
}

extension IssueHour {
    var counts: [Int?] { [events, users] }
}

extension DeviceDay {
    var counts: [Int?] { [crashes] }
}

extension ReleaseTotals {
    var counts: [Int?] { [sessions, crashedSessions, sessionsLastDay] }
}
