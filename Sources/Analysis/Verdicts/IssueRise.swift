package import AppHealth
import Statistics

/// How much one issue rose against earlier days.
package struct IssueRise: Hashable, Codable, Sendable {
    /// The issue.
    package let issue: Issue
    /// Its users on the later day minus their mean on the earlier ones; nil when they are not known or there
    /// are several later days, as users of days do not add up.
    package let users: Int?
    /// Its events a day, later minus earlier.
    package let events: Int
    /// Whether several days were put together, so that it is so much a day.
    package let isDaily: Bool
    /// Its part of the rise of the rate of all issues that rose, in 0…1.
    package let share: Double
}

extension HistoryIndex {
    /// The crashes that rose most for each session of a release, the largest rise first; of the whole app when
    /// the source does not count issues of that release on the later days.
    func rises(
        in part: DropBreakdown.Part?, _ before: [CivilDate], _ after: ClosedRange<CivilDate>
    ) -> [IssueRise] {
        guard let part, part.counts.after.total > 0 else { return [] }
        // What an issue did on days of which only a part is known cannot be weighed against the others.
        let late = (0...after.lowerBound.days(to: after.upperBound)).map { after.lowerBound.advanced(by: $0) }
        guard areWhole(before + late) else { return [] }
        let early = Set(before)
        // All days that are compared, and few others: of a long history the rest is passed over.
        let days = before + late
        let span = (days.min() ?? after.lowerBound)...(days.max() ?? after.upperBound)
        let ofRelease = issueReleaseDays.mapValues { $0.rows(on: span).filter { $0.version == part.label } }
        let isCounted = ofRelease.values.contains { $0.contains { after.contains($0.date) } }
        if isCounted, !(before + late).allSatisfy({ releaseIssueCoverage(on: $0).isComplete }) { return [] }
        let spans = (before.count, after.lowerBound.days(to: after.upperBound) + 1)
        let perSession = (part.counts.before.total, part.counts.after.total)
        let risen = (isCounted ? ofRelease : issueDays.mapValues { Array($0.rows(on: span)) }).compactMap {
            id, days -> (Double, IssueRise)? in
            guard let issue = issuesByID[id], issue.kind == .crash else { return nil }
            let change = IssueChange(
                early: days.filter { early.contains($0.date) }, late: days.filter { after.contains($0.date) },
                spans: spans)
            let rise = change.rise(per: isCounted ? perSession : spans)
            return rise > 0 ? (rise, change.rise(of: issue.mention)) : nil
        }.sorted { $0.0 != $1.0 ? $0.0 > $1.0 : $0.1.issue.id < $1.1.issue.id }
        let all = risen.reduce(0) { $0 + $1.0 }
        return risen.map { rise, found in
            IssueRise(
                issue: found.issue, users: found.users, events: found.events, isDaily: found.isDaily,
                share: rise / all)
        }
    }
}

/// The days of an issue before and after, of so many days each.
private struct IssueChange {
    let early: [IssueDay]
    let late: [IssueDay]
    let spans: (Int, Int)

    /// How much more often it was met, later minus earlier, for each of a number of sessions or days.
    func rise(per whole: (Int, Int)) -> Double {
        Double(events(late)) / Double(whole.1) - (whole.0 > 0 ? Double(events(early)) / Double(whole.0) : 0)
    }

    /// The rise as it is reported; its part of all rises is left open.
    func rise(of issue: Issue) -> IssueRise {
        let usersBefore = early.compactMap { $0.users.map(bounded) }
        let users = spans.1 == 1 && usersBefore.count == early.count ? late.last?.users.map(bounded) : nil
        return IssueRise(
            issue: issue,
            users: users.map { difference($0, Double(usersBefore.reduce(0, +)) / Double(max(1, spans.0))) },
            events: difference(0, -rise(per: spans)), isDaily: spans != (1, 1), share: 0)
    }

    private func events(_ days: [IssueDay]) -> Int {
        days.reduce(0) { min(HistoryIndex.largestCount, $0 + bounded($1.events ?? 0)) }
    }

    private func bounded(_ count: Int) -> Int { min(max(count, 0), HistoryIndex.largestCount) }

    private func difference(_ later: Int, _ earlier: Double) -> Int {
        Int((Double(later) - earlier).rounded())
    }
}
