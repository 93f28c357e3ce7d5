import AppHealth

extension SnapshotMapping {
    /// Adds the hours in which no issue had an event, as a count of 0 of one of them.
    ///
    /// A producer that counts events by hour has no row where there are none. In a file with hours of issues, an hour
    /// with sessions is one of these where it says that none of them crashed. Where it does not say how many did, it is
    /// one between the first and the last hour that an issue names. None is where an entry of the hours of issues was
    /// skipped: then events are missing. Neither is one that was not over at the capture.
    func addQuietHours(to snapshot: inout Snapshot, issue: String) {
        guard hasHoursOfIssues, areIssueHoursWhole(snapshot) else { return }
        let named = Set(snapshot.issueHours.map(\.hour))
        let (first, last) = (named.min(), named.max())
        let capturedIn = UTCHour(of: snapshot.capturedAt)
        let quiet = snapshot.healthHours.filter { hour in
            guard hour.sessions != nil, hour.hour < capturedIn, !named.contains(hour.hour) else {
                return false
            }
            if let crashed = hour.crashedSessions { return crashed == 0 }
            return first.map { $0 < hour.hour } ?? false && last.map { hour.hour < $0 } ?? false
        }
        snapshot.issueHours += quiet.map { IssueHour(issue: issue, hour: $0.hour, events: 0) }
    }

    /// Whether any issue has hours, be they empty: the producer counts by hour.
    private var hasHoursOfIssues: Bool { file.issues?.values.contains { $0.hours != nil } == true }

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
