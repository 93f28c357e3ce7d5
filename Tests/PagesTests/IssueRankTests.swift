import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

/// The rank of an issue in a week, of which the days may have been reported in part.
struct IssueRankTests {
    /// Events a day of the last week, and of the days before.
    private static let counts = ["rises": (30, 5), "steady": (10, 10), "new": (3, 0)]

    private static func history(
        _ partial: ClosedRange<Int>? = nil, _ counts: [String: (Int, Int)] = counts
    ) -> SourceHistory {
        let days = counts.sorted { $0.key < $1.key }.flatMap { id, count in
            (0..<30).compactMap { back -> IssueDay? in
                let events = back < 7 ? count.0 : count.1
                return events == 0 ? nil : .make(id, back, events: events, users: events)
            }
        }
        let whole = CoverageSpan(.issueDays, .back(29) ... .back(0))
        let reported = partial.map {
            [
                whole,
                CoverageSpan(
                    .issueDays, .back($0.upperBound) ... .back($0.lowerBound), .partial(counted: 3, of: 9)),
            ]
        }
        return .make(
            health: (0..<30).map { .make($0, sessions: 10_000) },
            issues: counts.keys.sorted().map { Issue(id: $0, title: $0) }, issueDays: days, coverage: reported
        )
    }

    @Test(
        arguments: [
            (nil, ["1 (previously 2)", "2 (previously 1)", "3 (new)"]),
            (
                0...2,
                [
                    "1 of those reported", "2 of those reported",
                    "3 of those reported (previously not reported)",
                ]
            ),
            (
                9...9,
                [
                    "1 of those reported", "2 of those reported",
                    "3 of those reported (previously not reported)",
                ]
            ),
            (20...25, ["1 (previously 2)", "2 (previously 1)", "3 (new)"]),
        ] as [(ClosedRange<Int>?, [String])])
    func aRankSaysWhetherAllIssuesAreKnown(partial: ClosedRange<Int>?, ranks: [String]) throws {
        let analysis = AppAnalysis.make(Self.history(partial))
        let shown = try ["rises", "steady", "new"].map { id in
            let page = AppPages(analysis, site: site).issue(try #require(analysis.issues[id]))
            return page.facts.first { $0.name == "Rank by events, 7 days" }?.value
        }
        #expect(shown == ranks)
    }

    /// Two that swap by a few events may have done so by chance; a list of 28 days has no arrow next to its place.
    @Test(
        arguments: [
            (["a": (11, 10), "b": (10, 11)], ["1", "2"], ["b", "a"], [nil, nil]),
            (
                ["a": (20, 10), "b": (13, 18)], ["1 (previously 2)", "2 (previously 1)"], ["b", "a"],
                ["7-day rank 2, previously 1", "7-day rank 1, previously 2"]
            ),
        ] as [([String: (Int, Int)], [String], [String], [String?])])
    func aChangeOfTheWeekIsShownWhereSure(
        counts: [String: (Int, Int)], ranks: [String], order: [String], moved: [String?]
    ) throws {
        let analysis = AppAnalysis.make(Self.history(nil, counts))
        let pages = AppPages(analysis, site: site)
        let shown = try ["a", "b"].map { id in
            pages.issue(try #require(analysis.issues[id])).facts
                .first { $0.name == "Rank by events, 7 days" }?.value
        }
        #expect(shown == ranks)
        let rows = pages.issues.issues
        #expect(rows.map(\.title) == order && rows.map(\.rank) == [1, 2])
        #expect(rows.map(\.weekRank) == moved && rows.allSatisfy { $0.movement.isEmpty })
    }
}
