package import AppHealth
package import Statistics

/// Hours of an app with the issues it met in them.
package struct IssueHours: Hashable, Sendable {
    /// The first hour; the others follow without a hole.
    package let first: UTCHour
    /// The issues by the source's id, in the order of the rows.
    package let issues: [String]
    /// The sessions of the hours, and for each issue those that met it.
    package let counts: HourlyIssues

    /// The hours; nil when the ids do not fit the rows.
    package init?(first: UTCHour, issues: [String], counts: HourlyIssues) {
        guard issues.count == counts.affected.count else { return nil }
        self.first = first
        self.issues = issues
        self.counts = counts
    }

    /// The hour at a place of the series.
    package func hour(at place: Int) -> UTCHour { first.advanced(by: place) }
}

extension IssueHours {
    /// The hours up to the instant of the report that are over; nil when no source tells both sessions and
    /// issues by hour.
    ///
    /// An hour is a gap unless its sessions and its issues are both known. The sessions that met an issue are
    /// its users of the hour, or its events where the source tells no users: then an upper bound, as one
    /// session may hold several events; never more than the sessions of the hour.
    init?(of sources: [SourceHistory], asOf: Instant) {
        guard let source = sources.first(where: tellsHours) else { return nil }
        let end = UTCHour(of: asOf)
        let sessions = Dictionary(
            source.healthHours.lazy.filter { $0.hour < end && source.hoursOfIssues.contains($0.hour) }
                .compactMap { hour in hour.sessions.map { (hour.hour, $0) } },
            uniquingKeysWith: { $1 })
        guard let last = sessions.keys.max(), let earliest = sessions.keys.min() else { return nil }
        let first = max(earliest, last.advanced(by: 1 - HourKeeping.hours))
        let count = last.hoursSinceEpoch - first.hoursSinceEpoch + 1
        var rows: [String: [Int]] = [:]
        for hour in source.issueHours where hour.hour >= first && hour.hour <= last {
            guard let known = sessions[hour.hour], let met = hour.users ?? hour.events, met > 0 else {
                continue
            }
            let place = hour.hour.hoursSinceEpoch - first.hoursSinceEpoch
            rows[hour.issue, default: Array(repeating: 0, count: count)][place] = min(met, known)
        }
        let issues = rows.keys.sorted()
        guard
            let counts = HourlyIssues(
                sessions: (0..<count).map { sessions[first.advanced(by: $0)] },
                affected: issues.compactMap { rows[$0] })
        else { return nil }
        self.init(first: first, issues: issues, counts: counts)
    }
}

private func tellsHours(_ source: SourceHistory) -> Bool {
    source.source.capabilities.contains(.hours) && !source.healthHours.isEmpty
        && !source.hoursOfIssues.isEmpty
}
