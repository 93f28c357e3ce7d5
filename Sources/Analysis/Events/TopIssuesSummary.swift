package import AppHealth
import Statistics

/// What hurt most on one day.
package struct TopIssuesSummary: Hashable, Codable, Sendable {
    /// One issue of the summary.
    package struct Entry: Hashable, Codable, Sendable {
        /// The issue.
        package let issue: Issue
        /// Its users on the day; nil when unknown.
        package let users: Int?
        /// Its events on the day; nil when unknown.
        package let events: Int?
        /// Its rank on the day, from 1.
        package let rank: Int
        /// Its rank on the day before; nil when it was not seen, or when the two days cannot be compared.
        package let previousRank: Int?
        /// The share of its events that name a user; nil when all do, or the source does not say.
        package let namedShare: Double?
        /// Its part of all users of the day; nil when either is unknown, or they do not fit together.
        package internal(set) var share: Fraction?
    }

    /// What issues are ranked by.
    package enum Ranking: String, Hashable, Codable, Sendable {
        /// Users of the day, where they are known.
        case users
        /// Events of the day.
        case events
    }

    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The first issues of the day, most users or events first.
    package internal(set) var entries: [Entry]
    /// How many issues have a rank on the day; the entries are the first of them.
    package let issueCount: Int
    /// What they are ranked by.
    package let ranking: Ranking
    /// How much was reported of the issues of the day.
    package let reported: Coverage
    /// Whether that is of a steady share of everybody: no issue is missing then, and users are.
    package let isOfShare: Bool
    /// All users of the day; nil when unknown.
    package let users: Int?
    /// The relative standard error of all users of the day where they are counted approximately; nil where they are exact.
    package let deviation: Double?
    /// Whether those and the users of issues are not both counted, or not by one service: then shares are about right.
    package let areUsersEstimated: Bool
    /// Affected users of the day; nil when unknown, or not as sure as the users of issues.
    package let crashedUsers: Int?
    /// Crash events of the day by the source of the issues, those that are not listed too, or the crashed sessions or
    /// affected users that it counted when they are more: each of these crashed. Nil when unknown.
    package let crashTotal: LeastCrashes?
    /// Crash events of the issues that are listed for the day.
    package let listedCrashes: Int
    /// Whether the day before was reported as whole as this one, so that ranks can be compared.
    package let hasDayBefore: Bool
    /// The zone of the source's days.
    package let zone: String
    /// The share of all crashes that came from one issue, of issues ranked by events.
    package internal(set) var crashShare: Fraction?
    /// The share of all crashes of the day that the listed issues have; nil when all issues are listed or the total is
    /// not known.
    package internal(set) var listedShare: Fraction?
    /// The least share of affected users that the first issue explains. A user may meet several issues, so
    /// for more than one issue only bounds are known.
    package internal(set) var coverage: Fraction?

    /// All crashes of the day, at the least; nil when they are not known.
    package var crashes: Int? { crashTotal?.count }

    /// The share of all users that the first issue hit: exact, as it is one issue.
    package var share: Fraction? { ranking == .users ? entries.first?.share : nil }

    /// The crash with the most events of the day; nil when none was seen or the issues are ranked by users.
    package var topCrash: Entry? {
        guard ranking == .events else { return nil }
        return entries.first { $0.issue.kind == .crash && ($0.events ?? 0) > 0 }
    }

    /// The summary with the shares that follow from its counts.
    fileprivate var withShares: TopIssuesSummary {
        var summary = self
        for place in entries.indices {
            summary.entries[place].share = entries[place].users.flatMap { own in
                users.flatMap { Fraction(own, of: $0, deviation: deviation) }
            }
        }
        if let crashes {
            summary.crashShare = topCrash?.events.flatMap { Fraction($0, of: crashes) }
            if !reported.isComplete { summary.listedShare = Fraction(listedCrashes, of: crashes) }
        }
        if ranking == .users, let crashedUsers, let first = entries.first, first.issue.kind == .crash {
            summary.coverage = first.users.flatMap { Fraction($0, of: crashedUsers) }
        }
        return summary
    }
}

/// Sums up the issues of every day of which any is known, or that none were.
package struct TopIssuesRule: Rule {
    package static let id = "top-issues"
    package static let kind = EventKind.topIssues
    package static let needs = RuleNeed.issues
    /// How many issues a summary names.
    package var limit: Int

    /// The standard length, or another.
    package init(limit: Int = 10) {
        self.limit = limit
    }

    package func events(in index: HistoryIndex) -> [Event] {
        guard let issues = index.issues.source, issues.source.capabilities.contains(.issueDays) else {
            return []
        }
        let rows = IssueRows(index.issues)
        var events: [Event] = []
        // The days follow each other without a hole.
        let first = index.days.first?.advanced(by: -1)
        var before = DayRanking(first.map { rows(on: $0) } ?? [])
        for day in index.days {
            let ofDay = rows(on: day)
            let own = DayRanking(ofDay)
            if !own.rows.isEmpty || index.issues.coverage(on: day).isComplete
                || index.crashes.own(on: day) != nil
            {
                events.append(.topIssues(summary(of: day, ofDay, own, before, index)))
            }
            before = own
        }
        return events
    }

    private func summary(
        of day: CivilDate, _ rows: [IssueDay], _ own: DayRanking, _ before: DayRanking,
        _ index: HistoryIndex
    ) -> TopIssuesSummary {
        let isComparable =
            index.issues.areWhole([day, day.advanced(by: -1)])
            && (own.basis == before.basis || own.rows.isEmpty || before.rows.isEmpty)
        let previous = Dictionary(
            (isComparable ? before.rows : []).enumerated().map { ($1.issue, $0 + 1) },
            uniquingKeysWith: { first, _ in first })
        let entries = own.rows.enumerated().prefix(limit).compactMap { place, row in
            index.issues.byID[row.issue].map { issue in
                TopIssuesSummary.Entry(
                    issue: issue.mention, users: row.users, events: row.events, rank: place + 1,
                    previousRank: previous[row.issue], namedShare: row.namedShare)
            }
        }
        let listed = rows.filter { index.issues.byID[$0.issue]?.kind == .crash }
            .reduce(0) { $0 &+ max(0, $1.events ?? 0) }
        return TopIssuesSummary(
            occasion: EventIdentity(
                rule: Self.id, app: index.app, day: day, at: index.issues.source.end(of: day)),
            entries: entries, issueCount: own.rows.count { index.issues.byID[$0.issue] != nil },
            ranking: own.basis, reported: index.issues.coverage(on: day),
            isOfShare: index.issues.countsShareOfUsers(on: day),
            users: index.rates.health[day]?.users, deviation: index.rates.health[day]?.userDeviation,
            areUsersEstimated: !index.countsUsersOfIssues || index.rates.health[day]?.userDeviation != nil,
            crashedUsers: index.countsUsersOfIssues ? index.crashBounds(on: day).users : nil,
            crashTotal: crashes(on: day, listed, index), listedCrashes: listed,
            hasDayBefore: isComparable, zone: index.issues.source?.zone(of: day) ?? "UTC"
        ).withShares
    }
}

/// The crashes of a day, of which some are listed; nil when they are not known.
private func crashes(on day: CivilDate, _ listed: Int, _ index: HistoryIndex) -> LeastCrashes? {
    guard let own = index.crashes.own(on: day), own >= listed else { return nil }
    let bounds = index.crashBounds(on: day)
    return LeastCrashes(crashes: own, sessions: bounds.sessions, users: bounds.users)
}

/// The issues of a day by rank.
private struct DayRanking {
    /// The rows that have a rank, in its order.
    let rows: [IssueDay]
    let basis: TopIssuesSummary.Ranking

    /// Ranks by users where it is sure by them which issue is the first: an issue of unknown users has at most as many
    /// as events, and comes where it would with as many. None is left away because of another one.
    init(_ days: [IssueDay]) {
        let seen = days.filter { ($0.users ?? 0) > 0 || ($0.events ?? 0) > 0 }
        let most = seen.compactMap(\.users).max() ?? 0
        let unknown = seen.filter { $0.users == nil }.map { $0.events ?? 0 }.max() ?? 0
        if most > 0, most >= unknown {
            basis = .users
            rows = ordered(seen) { ($0.users ?? $0.events ?? 0, $0.users == nil ? -1 : $0.events ?? 0) }
        } else {
            basis = .events
            rows = ordered(seen.filter { ($0.events ?? 0) > 0 }) { ($0.events ?? 0, $0.users ?? 0) }
        }
    }
}

/// Those with the greater counts first; the second count parts those that are equal in the first.
private func ordered(_ days: [IssueDay], by counts: (IssueDay) -> (Int, Int)) -> [IssueDay] {
    days.sorted { first, second in
        let (left, right) = (counts(first), counts(second))
        return left != right ? left > right : first.issue < second.issue
    }
}
