package import AppHealth
import Statistics

/// The fewest issues that together explain most of the crashes.
///
/// A crash belongs to one issue, so crashes add up. Users do not: one may meet several issues, so for the users
/// of several issues only bounds are known.
package struct TopCrashIssues: Hashable, Codable, Sendable {
    /// How many issues they are.
    package let issueCount: Int
    /// What they have of all crashes.
    package internal(set) var share: Fraction
    /// All crashes: those of all issues, or all crashed sessions when they are more; of one day, at least one
    /// for each affected user. Only what the source of the issues counted itself serves as a total.
    package internal(set) var whole: LeastCrashes
    /// Whether they reach the wanted share; when not, they are all issues there are.
    package let isReached: Bool
    /// The affected users that they hit; nil when users are not known, or not as sure as those of the issues, and where
    /// the span has several days.
    package internal(set) var users: Users?
    /// On how many days of the span the crashes are known, and how many there are.
    package let days: KnownDays
    /// Whether every issue of these days is known; where not, the others have the rest of the crashes.
    package let isComplete: Bool

    /// The share of crashes that is to be explained.
    package static let wantedShare = 0.8

    /// A part of all affected users, which the users of each issue give only bounds of.
    package struct Users: Hashable, Codable, Sendable {
        /// At least these.
        package let least: Fraction
        /// At most these.
        package let most: Fraction

        init(least: Fraction, most: Fraction) {
            (self.least, self.most) = (least, most)
        }

        /// The users of issues of these sizes; nil when they do not fit into all affected users.
        init?(ofIssues sizes: [Int], all: Int?) {
            guard let all, let bounds = unionBounds(of: sizes, all: all),
                let least = Fraction(bounds.lowerBound, of: all),
                let most = Fraction(bounds.upperBound, of: all)
            else { return nil }
            self.init(least: least, most: most)
        }
    }

    /// The covering issues of some days; nil when no issue that crashes was seen.
    package init?(_ index: HistoryIndex, on days: ClosedRange<CivilDate>) {
        let rows = index.issues.days.values.lazy.joined().filter { days.contains($0.date) }
        self.init(index, on: days, rows)
    }

    /// The covering issues of each day that has any.
    package static func ofDays(_ index: HistoryIndex) -> [CivilDate: TopCrashIssues] {
        let rows = IssueRows(index.issues)
        return Dictionary(
            uniqueKeysWithValues: rows.days.compactMap { day in
                TopCrashIssues(index, on: day...day, rows(on: day)).map { (day, $0) }
            })
    }

    /// Only days of which all issues or the number of all crashes are known show what share an issue has.
    private init?(
        _ index: HistoryIndex, on days: ClosedRange<CivilDate>, _ rows: some Sequence<IssueDay>
    ) {
        let span = (0...days.lowerBound.days(to: days.upperBound)).map { days.lowerBound.advanced(by: $0) }
        let listed = Set(span.filter { index.issues.coverage(on: $0).isComplete })
        let known = listed.union(span.filter { index.crashes.own(on: $0) != nil })
        self.days = KnownDays(known: known.count, all: span.count)
        self.isComplete = known == listed
        var counts: [String: (events: Int, users: Int?)] = [:]
        for day in rows where known.contains(day.date) {
            let events = PlausibleCount.sum(counts[day.issue]?.events ?? 0, day.events ?? 0)
            counts[day.issue] = (events, day.users)
        }
        let counted = counts.compactMap { id, count -> (id: String, events: Int, users: Int?)? in
            guard index.issues.byID[id]?.kind == .crash, count.events > 0 else { return nil }
            return (id, count.events, count.users)
        }.sorted { $0.events != $1.events ? $0.events > $1.events : $0.id < $1.id }
        let isOneDay = days.lowerBound == days.upperBound
        let bounds = known.map { index.crashBounds(on: $0) }
        let sessions = bounds.reduce(0) { PlausibleCount.sum($0, $1.sessions ?? 0) }
        let crashed = isOneDay ? index.crashBounds(on: days.lowerBound).users : nil
        let whole = LeastCrashes(
            crashes: index.crashCount(on: known, summed: rows), sessions: sessions, users: crashed ?? 0)
        guard let set = CoveringSet(of: counted.map(\.events), total: whole.count, share: Self.wantedShare),
            !set.chosen.isEmpty,
            // An event that two issues have is one crash.
            let share = Fraction(min(set.sum, whole.count), of: whole.count)
        else { return nil }
        let chosen = set.chosen.map { counted[$0] }
        let sizes = chosen.compactMap(\.users)
        self.issueCount = chosen.count
        self.share = share
        self.whole = whole
        self.isReached = set.isReached
        self.users = sizes.count == chosen.count ? Users(ofIssues: sizes, all: crashed) : nil
    }
}

extension HistoryIndex {
    /// The crashes of some days: those that the source of issues counted, at least as many as its issues have together. A
    /// source whose issues may share an event knows the number better than their sum.
    fileprivate func crashCount(on days: Set<CivilDate>, summed rows: some Sequence<IssueDay>) -> Int {
        var sums: [CivilDate: Int] = [:]
        for row in rows where days.contains(row.date) && issues.byID[row.issue]?.kind == .crash {
            sums[row.date] = PlausibleCount.sum(sums[row.date] ?? 0, row.events ?? 0)
        }
        func sum(_ counts: [Int]) -> Int { counts.reduce(0, PlausibleCount.sum) }
        let own = days.map { crashes.own(on: $0) ?? 0 }
        guard issues.source?.source.countsPartsApart == true else {
            return max(sum(Array(sums.values)), sum(own))
        }
        return sum(zip(days, own).map { $1 > 0 ? $1 : sums[$0] ?? 0 })
    }
}
