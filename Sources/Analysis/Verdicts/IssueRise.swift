package import AppHealth
import Statistics

/// How much one issue rose against earlier days.
package struct IssueRise: Hashable, Codable, Sendable {
    /// The issue.
    package internal(set) var issue: Issue
    /// How much it rose; more than zero.
    package internal(set) var size: Size
    /// Whether several days were put together, so that it is so much a day.
    package let isDaily: Bool
    /// Its part of the rise of all issues that rose, in 0…1.
    package internal(set) var share: Double
    /// Whether that part is one of the rise for each session: fewer sessions are no fewer crashes. Else it is one of the
    /// rise in a day.
    package let isPerSession: Bool

    /// By what it rose: the first of these that did, as it may rise for each session while all of it falls.
    package enum Size: Hashable, Codable, Sendable {
        /// Its users on the later day minus their mean on the earlier ones; not of several later days, as users of
        /// days do not add up.
        case users(Int)
        /// Its events a day, later minus earlier.
        case events(Int)
        /// Its events in a session, later minus earlier.
        case eventsPerSession(Double)
        /// Its events a day, less than one.
        case few
    }
}

extension IssueIndex {
    /// The crashes that rose most in a release for each session, the largest rise first; of the whole app, for each day,
    /// when the source does not count issues of that release on the later days.
    ///
    /// Of a release that gained sessions these are all sessions of the app: a crash that each tester met rises as it
    /// reaches everybody. Of one that lost sessions, and crashes more, they are its own.
    ///
    /// - Parameter all: All sessions of the earlier and of the later days.
    func rises(
        in part: DropBreakdown.Part?, of all: (Int, Int), _ before: [CivilDate],
        _ after: ClosedRange<CivilDate>
    ) -> [IssueRise] {
        guard let part, part.counts.after.total > 0 else { return [] }
        // What an issue did on days of which only a part is known cannot be weighed against the others.
        let late = (0...after.lowerBound.days(to: after.upperBound)).map { after.lowerBound.advanced(by: $0) }
        guard areWhole(before + late) else { return [] }
        let early = Set(before)
        // All days that are compared, and few others: of a long history the rest is passed over.
        let compared = before + late
        let span = (compared.min() ?? after.lowerBound)...(compared.max() ?? after.upperBound)
        let ofRelease = releaseDays.mapValues { $0.rows(on: span).filter { $0.version == part.label } }
        let isCounted = ofRelease.values.contains { $0.contains { after.contains($0.date) } }
        if isCounted, !(before + late).allSatisfy({ releaseCoverage(on: $0).isComplete }) { return [] }
        let spans = (before.count, after.lowerBound.days(to: after.upperBound) + 1)
        let sessions =
            part.shareAfter >= part.shareBefore ? all : (part.counts.before.total, part.counts.after.total)
        let risen = (isCounted ? ofRelease : days.mapValues { Array($0.rows(on: span)) }).compactMap {
            id, days -> (Double, IssueRise)? in
            guard let issue = byID[id], issue.kind == .crash else { return nil }
            let change = IssueChange(
                early: days.filter { early.contains($0.date) }, late: days.filter { after.contains($0.date) },
                spans: spans)
            let rise = change.rise(per: isCounted ? sessions : spans)
            guard rise > 0 else { return nil }
            return (rise, change.rise(of: issue.mention, perSession: isCounted ? rise : nil))
        }.sorted { $0.0 != $1.0 ? $0.0 > $1.0 : $0.1.issue.id < $1.1.issue.id }
        let all = risen.reduce(0) { $0 + $1.0 }
        return risen.map { rise, found in
            var found = found
            found.share = rise / all
            return found
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
    ///
    /// - Parameter perSession: How much it rose in a session; nil where it is held against days.
    func rise(of issue: Issue, perSession: Double?) -> IssueRise {
        let events = Int(rise(per: spans).rounded())
        let size: IssueRise.Size =
            if let users, users > 0 {
                .users(users)
            } else if events > 0 {
                .events(events)
            } else if let perSession {
                .eventsPerSession(perSession)
            } else {
                .few
            }
        return IssueRise(
            issue: issue, size: size, isDaily: spans != (1, 1), share: 0, isPerSession: perSession != nil)
    }

    /// Its users on the later day minus their mean on the earlier ones; nil when they are not known.
    private var users: Int? {
        let before = early.compactMap { $0.users }
        guard spans.1 == 1, before.count == early.count, let after = late.last?.users else { return nil }
        return Int((Double(after) - Double(before.reduce(0, +)) / Double(max(1, spans.0))).rounded())
    }

    private func events(_ days: [IssueDay]) -> Int {
        days.reduce(0) { PlausibleCount.sum($0, $1.events ?? 0) }
    }
}
