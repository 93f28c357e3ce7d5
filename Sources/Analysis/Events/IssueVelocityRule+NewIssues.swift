import AppHealth
import Statistics

extension IssueVelocityRule {
    /// Issues without a past that pass the plain thresholds.
    func newIssueAlerts(in evidence: HistoryIndex) -> [IssueVelocityAlert] {
        evidence.issuesByID.values.flatMap { issue in
            let byRelease = evidence.issueReleaseDays[issue.id] ?? []
            let days = byRelease.isEmpty ? evidence.issueDays[issue.id] ?? [] : byRelease
            guard let first = firstDay(of: issue, in: evidence) else { return [IssueVelocityAlert]() }
            return days.compactMap { day in
                guard first.days(to: day.date) < newDays, let share = share(of: day, in: evidence) else {
                    return nil
                }
                let at = evidence.end(of: day.date)
                return IssueVelocityAlert(
                    occasion: occasion(issue, day.version, on: day.date, at: at, evidence), issue: issue,
                    version: day.version, share: share, hours: 24, users: day.users, grounds: .newIssue)
            }
        }
    }

    /// When an issue was first seen: by the source's word or in the archive, whichever is earlier.
    private func firstDay(of issue: Issue, in evidence: HistoryIndex) -> CivilDate? {
        let days = (evidence.issueDays[issue.id] ?? []) + (evidence.issueReleaseDays[issue.id] ?? [])
        let onRecord = days.filter { ($0.events ?? 0) > 0 }.map(\.date).min()
        return [issue.firstSeen?.date, onRecord].compactMap { $0 }.min()
    }

    private func share(of day: IssueDay, in evidence: HistoryIndex) -> Fraction? {
        let health =
            day.version.map { evidence.releaseHealth[.init(date: day.date, version: $0)] }
            ?? evidence.health[day.date]
        guard let sessions = health?.sessions, sessions >= minimumSessions, let events = day.events,
            day.users.map({ $0 >= minimumUsers }) ?? true,
            // One session may hold several events, so the share is at most all of them.
            let share = Fraction(min(events, sessions), of: sessions),
            share.value * 100 >= percent
        else { return nil }
        return share
    }
}
