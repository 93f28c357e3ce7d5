import Analysis
import AppHealth
import Formatting
import Statistics

/// An issue with what was counted of it in two releases.
struct ComparedIssue {
    let issue: Issue
    let later: SeenIssues.Count?
    let earlier: SeenIssues.Count?
}

extension AppReport {
    /// How many rows a list of issues of two releases has.
    static let comparedLimit = 10

    /// The issues that were seen in at least one of two releases: those of the later alone, of both, of the earlier
    /// alone.
    ///
    /// Those of one come with the most events first, those of both with the greatest rise for each session first.
    func comparedIssues(
        _ releases: ComparedReleases
    ) -> (onlyLater: [ComparedIssue], both: [ComparedIssue], onlyEarlier: [ComparedIssue]) {
        let later = seenIssues.issues(in: releases.later.version.label)
        let earlier = seenIssues.issues(in: releases.earlier.version.label)
        let sessions = sessionCounts(releases)
        let all = Set(later.keys).union(earlier.keys).compactMap { id in
            evidence.issuesByID[id].map { ComparedIssue(issue: $0, later: later[id], earlier: earlier[id]) }
        }
        let both = all.filter { $0.later != nil && $0.earlier != nil }.map { one in
            (one, rise(one, sessions))
        }
        func sorted(_ issues: [ComparedIssue]) -> [ComparedIssue] {
            issues.sorted { first, second in
                first.events != second.events
                    ? first.events > second.events : first.issue.id < second.issue.id
            }
        }
        return (
            sorted(all.filter { $0.earlier == nil }),
            both.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.issue.id < $1.0.issue.id }.map(\.0),
            sorted(all.filter { $0.later == nil })
        )
    }

    /// Sessions of both over their lives; nil when unknown.
    func sessionCounts(_ releases: ComparedReleases) -> (later: Int?, earlier: Int?) {
        (
            releaseTotals(releases.later.version.label).sessions,
            releaseTotals(releases.earlier.version.label).sessions
        )
    }

    /// By how many events for each session an issue rose; in events of the later release where sessions are not known.
    private func rise(_ issue: ComparedIssue, _ sessions: (later: Int?, earlier: Int?)) -> Double {
        guard let later = share(issue.later, of: sessions.later),
            let earlier = share(issue.earlier, of: sessions.earlier)
        else { return Double(issue.later?.events ?? 0) }
        return later.value - earlier.value
    }

    /// Events of an issue for each session of a release; nil when unknown.
    func share(_ count: SeenIssues.Count?, of sessions: Int?) -> Fraction? {
        guard let events = count?.events, let sessions else { return nil }
        return Fraction(events, of: sessions)
    }

    /// What an issue is to the later of two releases; one that came back was not fixed.
    func roles(of issue: Issue, in later: String, regressed: Set<String>) -> [String] {
        if regressed.contains(issue.id) { return ["regressed"] }
        return [
            issue.firstVersion?.label == later ? "new" : nil, issue.fixedIn?.label == later ? "fixed" : nil,
        ].compactMap(\.self)
    }

    /// Issues as the rows of a list.
    func comparedList(
        _ issues: [ComparedIssue], _ releases: ComparedReleases, _ links: Links
    ) -> ComparedIssues {
        let regressed = Set(regressedIssues(in: releases.later.version.label).map(\.id))
        let sessions = sessionCounts(releases)
        let rows = issues.prefix(Self.comparedLimit).map { one in
            ComparedIssueRow(
                title: title(of: one.issue), place: place(of: one.issue),
                stem: links.stem(to: .issue(one.issue.id, of: app.id)), kind: one.issue.kind.rawValue,
                state: one.issue.state.rawValue,
                words: roles(of: one.issue, in: releases.later.version.label, regressed: regressed),
                later: countView(one.later, one.issue, in: releases.later, sessions.later),
                earlier: countView(one.earlier, one.issue, in: releases.earlier, sessions.earlier),
                expected: expected(one, sessions))
        }
        let more = issues.count - rows.count
        return ComparedIssues(
            count: issues.isEmpty
                ? nil : "\(Formatting.countText(issues.count)) issue\(issues.count == 1 ? "" : "s")",
            rows: rows, more: more > 0 ? "\(Formatting.countText(more)) more" : nil)
    }

    private func countView(
        _ count: SeenIssues.Count?, _ issue: Issue, in release: Release, _ sessions: Int?
    ) -> IssueCountView? {
        count.map {
            IssueCountView(
                events: countOrDash($0.events), users: usersText($0, issue, in: release.version.label),
                share: share($0, of: sessions).map(shareText) ?? "–")
        }
    }

    /// All users of an issue that was seen in no other release, else those of its largest day as the least.
    private func usersText(_ count: SeenIssues.Count, _ issue: Issue, in label: String) -> String {
        if let users = users(of: issue, inRelease: label) { return countText(users) }
        guard let most = count.mostUsers else { return "–" }
        return hidesCounts ? countText(most) : "at least \(countText(most))"
    }

    /// The events that the rate in the one release would have brought to the other, in which there were none; nil when
    /// it cannot be told or counts are hidden.
    private func expected(_ issue: ComparedIssue, _ sessions: (later: Int?, earlier: Int?)) -> String? {
        let isOnlyLater = issue.earlier == nil
        guard !hidesCounts, issue.later == nil || issue.earlier == nil,
            let rate = isOnlyLater
                ? share(issue.later, of: sessions.later) : share(issue.earlier, of: sessions.earlier),
            let others = isOnlyLater ? sessions.earlier : sessions.later
        else { return nil }
        let count = rate.value * Double(others)
        guard count >= 1 else { return "fewer than 1" }
        return "about \(estimateText(Int(min(count, 1e15).rounded())))"
    }
}

extension ComparedIssue {
    /// Its events in both.
    fileprivate var events: Int { (later?.events ?? 0) &+ (earlier?.events ?? 0) }
}
