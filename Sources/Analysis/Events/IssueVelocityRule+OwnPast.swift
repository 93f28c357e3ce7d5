import AppHealth
import Statistics

extension IssueVelocityRule {
    /// Issues that outrun their own past by days; each is laid at the door of the version that explains most.
    func dailyAlerts(in evidence: HistoryIndex) -> [IssueVelocityAlert] {
        let table = IssueDayCounts(evidence, least: 5)
        let ids = table.counts.keys.sorted()
        guard table.knowsSessions,
            let series = IssueSeries(
                sessions: table.sessions, affected: ids.map { table.counts[$0] ?? [] })
        else { return [] }
        return daily.findings(in: series).compactMap { finding in
            guard let issue = evidence.issuesByID[ids[finding.issue]] else { return nil }
            let days = (0..<finding.window).map { table.days[finding.hour].advanced(by: -$0) }
            return alert(issue, finding, days, evidence)
        }
    }

    private func alert(
        _ issue: Issue, _ finding: VelocityFinding, _ days: [CivilDate], _ evidence: HistoryIndex
    ) -> IssueVelocityAlert? {
        let cause = cause(of: issue, finding, days, evidence)
        let events = (evidence.issueDays[issue.id] ?? []).filter { days.contains($0.date) }
        let all = Fraction(
            min(events.reduce(0) { $0 &+ ($1.events ?? 0) }, finding.sessions), of: finding.sessions)
        guard let share = cause?.share ?? all ?? Fraction(finding.affected, of: finding.sessions) else {
            return nil
        }
        let users =
            cause.map(\.days) ?? events
        let at = evidence.end(of: days[0])
        return IssueVelocityAlert(
            occasion: occasion(issue, cause?.version, on: days[0], at: at, evidence), issue: issue,
            version: cause?.version, share: share, hours: 24 * days.count,
            users: users.last { $0.date == days[0] }?.users,
            grounds: .ownPast(finding, falseReportsPerYear: daily.pace.falseReportsPerYear))
    }

    /// A version and what the issue did in it.
    private struct Cause {
        let version: String
        let share: Fraction
        let days: [IssueDay]
        let excess: Double
    }

    /// The version with the most events beyond those that the issue's past let one expect of its sessions.
    private func cause(
        of issue: Issue, _ finding: VelocityFinding, _ days: [CivilDate], _ evidence: HistoryIndex
    ) -> Cause? {
        let inDays = (evidence.issueReleaseDays[issue.id] ?? []).filter { days.contains($0.date) }
        let causes = Dictionary(grouping: inDays) { $0.version ?? "" }.compactMap {
            version, counted -> Cause? in
            let sessions = days.reduce(0) {
                $0 &+ (evidence.releaseHealth[.init(date: $1, version: version)]?.sessions ?? 0)
            }
            let events = counted.reduce(0) { $0 &+ ($1.events ?? 0) }
            guard events > 0, let share = Fraction(min(events, sessions), of: sessions) else { return nil }
            let excess = Double(events) - finding.expected * Double(sessions)
            return Cause(version: version, share: share, days: counted, excess: excess)
        }
        return causes.max { ($0.excess, $1.version) < ($1.excess, $0.version) }
    }

    /// Issues that outrun their own past by hours: the alert of an hour that belongs to the day it ended on.
    package func hourlyAlerts(in hours: IssueHours, _ evidence: HistoryIndex) -> [IssueVelocityAlert] {
        hourly.findings(in: hours.counts).compactMap { finding in
            let at = hours.hour(at: finding.hour + 1).start
            guard at <= evidence.asOf, let issue = evidence.issuesByID[hours.issues[finding.issue]],
                let share = Fraction(min(finding.affected, finding.sessions), of: finding.sessions)
            else { return nil }
            let day = at.advanced(bySeconds: -1).date
            let users = evidence.issueDays[issue.id]?.last { $0.date == day }?.users
            return IssueVelocityAlert(
                occasion: occasion(issue, nil, on: day, at: at, evidence), issue: issue, version: nil,
                share: share, hours: finding.window, users: users,
                grounds: .ownPast(finding, falseReportsPerYear: hourly.pace.falseReportsPerYear))
        }
    }
}
