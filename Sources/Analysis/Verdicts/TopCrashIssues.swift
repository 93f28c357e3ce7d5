package import AppHealth
import Formatting
import Statistics

/// The fewest issues that together explain most of the crashes.
///
/// A crash belongs to one issue, so crashes add up. Users do not: one may meet several issues, so for the users
/// of several issues only bounds are known.
package struct TopCrashIssues: Hashable, Sendable {
    /// The issues, most crashes first.
    package let issues: [Issue]
    /// Their crashes.
    package let crashes: Int
    /// All crashes: those of all issues, or all crashed sessions when they are more; of one day, at least one
    /// for each user who met a crash.
    package let total: Int
    /// Whether they reach the wanted share; when not, they are all issues there are.
    package let isReached: Bool
    /// How many users they hit, at least and at most; nil when users are not known or the span has several days.
    package let users: ClosedRange<Int>?
    /// All users who met a crash.
    package let crashedUsers: Int?

    /// The share of crashes that is to be explained.
    package static let share = 0.8

    /// The covering issues of some days; nil when no issue that crashes was seen.
    package init?(_ evidence: HistoryIndex, on days: ClosedRange<CivilDate>) {
        self.init(evidence, on: days, evidence.issueDays.values.joined().filter { days.contains($0.date) })
    }

    /// The covering issues of each day that has any.
    package static func ofDays(_ evidence: HistoryIndex) -> [CivilDate: TopCrashIssues] {
        let byDay = Dictionary(grouping: evidence.issueDays.values.joined(), by: \.date)
        return Dictionary(
            uniqueKeysWithValues: byDay.compactMap { day, list in
                TopCrashIssues(evidence, on: day...day, list).map { (day, $0) }
            })
    }

    private init?(_ evidence: HistoryIndex, on days: ClosedRange<CivilDate>, _ list: [IssueDay]) {
        var counts: [String: (events: Int, users: Int?)] = [:]
        for day in list {
            let events = (counts[day.issue]?.events ?? 0) + plausible(day.events)
            counts[day.issue] = (min(ReleaseHistory.largest, events), day.users)
        }
        let counted = counts.compactMap { id, count -> (issue: Issue, events: Int, users: Int?)? in
            guard let issue = evidence.issuesByID[id], issue.kind == .crash, count.events > 0 else {
                return nil
            }
            return (issue, count.events, count.users)
        }.sorted { $0.events != $1.events ? $0.events > $1.events : $0.issue.id < $1.issue.id }
        let isOneDay = days.lowerBound == days.upperBound
        let health =
            isOneDay
            ? [evidence.health[days.lowerBound]].compactMap(\.self)
            : evidence.health.values.filter { days.contains($0.date) }
        let sessions = health.reduce(0) { min(ReleaseHistory.largest, $0 + plausible($1.crashedSessions)) }
        let crashed = isOneDay ? health.first?.crashedUsers : nil
        let total = max(counted.reduce(0) { $0 + $1.events }, sessions, plausible(crashed))
        guard let set = CoveringSet(of: counted.map(\.events), total: total, share: Self.share),
            !set.chosen.isEmpty
        else { return nil }
        let chosen = set.chosen.map { counted[$0] }
        let sizes = chosen.compactMap(\.users)
        self.issues = chosen.map(\.issue)
        self.crashes = set.sum
        self.total = total
        self.isReached = set.isReached
        self.crashedUsers = crashed
        self.users = sizes.count == chosen.count ? crashed.flatMap { unionBounds(of: sizes, all: $0) } : nil
    }

    /// `2 issues explain 83.1% of the 1,204 crashes. They hit between 412 and 640 of the 980 users who met a
    /// crash (42.0–65.3%): one may have met several.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with or without the counts that the shares are of.
    package func sentence(counts: Audience.Display) -> String {
        let part = PercentFormat(decimals: 1).text(crashes, of: total)
        let few = issues.count == 1 ? "1 issue explains" : "\(issues.count) issues explain"
        let whole =
            counts == .shown
            ? "of the \(countText(total)) \(total == 1 ? "crash" : "crashes")" : "of the crashes"
        let usersText = counts == .shown ? usersText : usersShareText
        guard isReached else {
            let all =
                issues.count == 1 ? "The only issue explains" : "All \(issues.count) issues together explain"
            return "\(all) \(part) \(whole); the others belong to no issue." + usersText
        }
        return "\(few) \(part) \(whole)." + usersText
    }

    private var usersText: String {
        guard let users, let crashedUsers, crashedUsers > 0 else { return "" }
        let style = PercentFormat(decimals: 1)
        let whole = "of the \(countText(crashedUsers)) users who met a crash"
        let low = style.text(users.lowerBound, of: crashedUsers)
        guard users.lowerBound < users.upperBound else {
            return
                " \(issues.count == 1 ? "It" : "They") hit \(countText(users.lowerBound)) \(whole) (\(low))."
        }
        return " They hit between \(countText(users.lowerBound)) and \(countText(users.upperBound)) \(whole) "
            + "(\(low) to \(style.text(users.upperBound, of: crashedUsers))), as one user may meet several."
    }

    private var usersShareText: String {
        guard let users, let crashedUsers, crashedUsers > 0 else { return "" }
        let style = PercentFormat(decimals: 1)
        let low = style.text(users.lowerBound, of: crashedUsers)
        let whole = "of the users who met a crash"
        guard users.lowerBound < users.upperBound else {
            return " \(issues.count == 1 ? "It" : "They") hit \(low) \(whole)."
        }
        return " They hit \(low) to \(style.text(users.upperBound, of: crashedUsers)) \(whole), "
            + "as one user may meet several."
    }
}

private func plausible(_ count: Int?) -> Int {
    count.map { min(max($0, 0), ReleaseHistory.largest) } ?? 0
}
