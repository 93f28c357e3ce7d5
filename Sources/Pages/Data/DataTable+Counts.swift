/// The columns of all tables that hold numbers of users, sessions or events, or what they could be found from.
package let countColumns: Set = [
    "sessions", "crashedSessions", "users", "crashedUsers", "events", "eventsInWindow", "activeUsers",
    "weeklyActiveUsers", "monthlyActiveUsers", "newUsers", "total", "allowed", "spent", "left",
    "rolloutNeeded", "crashed", "of", "budgetSpent", "budgetAllowed", "adoptionSessions", "adoptionOf",
    "stageCount", "stageOf", "atAgeSessions", "atAgeCrashed", "atSessionsSessions", "atSessionsCrashed",
    "laterTotal", "laterCrashed", "earlierTotal", "earlierCrashed", "laterEvents", "earlierEvents",
]

extension DataTable {
    /// The table without the columns that hold counts, its rates to four decimals.
    var withoutCounts: DataTable {
        let kept = columns.indices.filter { !countColumns.contains(columns[$0]) }
        return DataTable(
            name, columns: kept.map { columns[$0] }, rows: rows.map { row in kept.map { row[$0].coarse } })
    }
}

extension DataCell {
    fileprivate var coarse: DataCell {
        if case .rate(let rate) = self { .rate(coarseRate(rate)) } else { self }
    }
}
