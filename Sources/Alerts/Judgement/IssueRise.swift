package import AppHealth
import Statistics

/// How much one issue rose between two windows.
package struct IssueRise: Hashable, Sendable {
    /// The issue.
    package let issue: Issue
    /// Its users, later minus earlier; nil when they are not known or a window has several days, as users of
    /// days do not add up.
    package let users: Int?
    /// Its events, later minus earlier.
    package let events: Int
    /// Its part of the rise of the rate of all issues that rose, in 0…1.
    package let share: Double

    /// `+412 users`, or `+640 events` where users are not known.
    package var text: String {
        let (count, unit) = users.map { ($0, "user") } ?? (events, "event")
        return (count > 0 ? "+" : "") + countText(count) + " \(unit)\(count == 1 ? "" : "s")"
    }
}

extension Evidence {
    /// The crashes that rose most for each session of a release, the largest rise first; of the whole app when
    /// the source does not count issues of that release in the later window.
    func rises(
        in part: DropCauses.Part?, _ before: ClosedRange<CivilDate>, _ after: ClosedRange<CivilDate>
    ) -> [IssueRise] {
        guard let part, part.counts.after.total > 0 else { return [] }
        let ofRelease = issueReleaseDays.mapValues { $0.filter { $0.version == part.label } }
        let isCounted = ofRelease.values.contains { $0.contains { after.contains($0.date) } }
        let days = isCounted ? ofRelease : issueDays
        let sessions = isCounted ? (part.counts.before.total, part.counts.after.total) : nil
        let isOneDay = before.lowerBound == before.upperBound && after.lowerBound == after.upperBound
        let risen = days.compactMap { id, list -> (rise: Double, issue: Issue, users: Int?, events: Int)? in
            guard let issue = issuesByID[id], issue.kind == .crash else { return nil }
            let (early, late) = (
                list.filter { before.contains($0.date) }, list.filter { after.contains($0.date) }
            )
            let counts = (events(early), events(late))
            let rise =
                sessions.map {
                    Double(counts.1) / Double($0.1) - ($0.0 > 0 ? Double(counts.0) / Double($0.0) : 0)
                }
                ?? Double(counts.1 - counts.0)
            let users = isOneDay ? late.last?.users.map { difference($0, early.last?.users ?? 0) } : nil
            return rise > 0 ? (rise, issue, users, counts.1 - counts.0) : nil
        }.sorted { $0.rise != $1.rise ? $0.rise > $1.rise : $0.issue.id < $1.issue.id }
        let all = risen.reduce(0) { $0 + $1.rise }
        return risen.map {
            IssueRise(issue: $0.issue, users: $0.users, events: $0.events, share: $0.rise / all)
        }
    }

    private func events(_ days: [IssueDay]) -> Int {
        days.reduce(0) { min(ReleaseLife.largest, $0 + min(max($1.events ?? 0, 0), ReleaseLife.largest)) }
    }
}

private func difference(_ later: Int, _ earlier: Int) -> Int {
    let (result, overflow) = later.subtractingReportingOverflow(earlier)
    return overflow ? 0 : result
}
