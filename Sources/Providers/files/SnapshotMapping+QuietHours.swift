import AppHealth

extension SnapshotMapping {
    /// Adds the hours in which no issue had an event, as a count of 0 of one of them.
    ///
    /// A producer that counts events by hour has no row where there are none. Between the first and the last hour that
    /// an issue names, an hour with sessions is one of these, unless sessions crashed in it or an entry of the hours of
    /// issues was skipped: then events are missing.
    func addQuietHours(to snapshot: inout Snapshot, issue: String) {
        let named = Set(snapshot.issueHours.map(\.hour))
        guard let first = named.min(), let last = named.max(), areIssueHoursWhole(snapshot) else { return }
        let quiet = snapshot.healthHours.filter { hour in
            hour.sessions != nil && (hour.crashedSessions ?? 0) == 0 && !named.contains(hour.hour)
                && hour.hour > first && hour.hour < last
        }
        snapshot.issueHours += quiet.map { IssueHour(issue: issue, hour: $0.hour, events: 0) }
    }

    /// Whether nothing of the issues and their hours was skipped.
    private func areIssueHoursWhole(_ snapshot: Snapshot) -> Bool {
        guard let list = file.issues, list.skipped == 0, list.items.count == snapshot.issues.count else {
            return false
        }
        let hours = list.values.compactMap(\.hours)
        return hours.allSatisfy { $0.skipped == 0 }
            && hours.reduce(0) { $0 + $1.items.count } == snapshot.issueHours.count
    }
}
