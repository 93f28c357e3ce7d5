import Analysis
import AppHealth

/// Counts of issues over the window that lists show; events may be added up over days, users may not.
struct IssueWindows: Sendable {
    /// The days of the window.
    let first: CivilDate
    /// Its last day.
    let last: CivilDate
    /// Events in the window, by issue; missing when the source has no days.
    let events: [String: Int]
    /// Events of each day of the window, by issue; nil for a day without figures.
    let values: [String: [Double?]]
    /// Sessions in the window; nil when unknown.
    let sessions: Int?

    /// Adds up the window that ends with the last complete day.
    init(_ evidence: HistoryIndex, span: Int) {
        let last = evidence.lastDay
        let first = last.advanced(by: 1 - span)
        var events: [String: Int] = [:]
        for (issue, days) in evidence.issueDays {
            events[issue] = days.filter { $0.date >= first }.reduce(0) { $0 &+ ($1.events ?? 0) }
        }
        let sessions = evidence.health.values.filter { $0.date >= first }.compactMap(\.sessions)
        let covered = (0..<span).map { evidence.health[first.advanced(by: $0)] != nil }
        self.values = evidence.issueDays.mapValues { days in
            // A source that tells days leaves out those without events, so a covered day without a row is a zero.
            var values: [Double?] = covered.map { $0 ? 0 : nil }
            for day in days where day.date >= first && day.date <= last {
                values[first.days(to: day.date)] = day.events.map(Double.init)
            }
            return values
        }
        self.first = first
        self.last = last
        self.events = events
        self.sessions = sessions.isEmpty ? nil : sessions.reduce(0, &+)
    }
}
