import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// A source that has rows of single releases alone.
struct ReleaseSumsTests {
    private static let part = Coverage.partial(counted: 1, of: 2)

    private func index(_ source: SourceHistory) -> HistoryIndex {
        HistoryIndex(.make(source), asOf: reportTime)
    }

    /// A day's events by release, how many of them are known, the events of the day, and whether no row means none.
    struct Row: Sendable {
        let releases: [(String?, Int?)]
        var coverage = Coverage.complete
        let events: Int?
        let isWhole: Bool
    }

    @Test(arguments: [
        Row(releases: [("1.0", 3), ("2.0", 4)], events: 7, isWhole: true),
        Row(releases: [("1.0", 3)], events: 3, isWhole: true),
        Row(releases: [(nil, 9), ("1.0", 3), ("2.0", 4)], events: 9, isWhole: true),
        Row(releases: [(nil, 9), ("1.0", 3)], coverage: part, events: 9, isWhole: true),
        Row(releases: [("1.0", 3), ("2.0", 4)], coverage: part, events: nil, isWhole: false),
        Row(releases: [("1.0", 3), ("2.0", 4)], coverage: .unknown, events: nil, isWhole: false),
        Row(releases: [("1.0", 3), ("2.0", nil)], events: nil, isWhole: false),
        Row(releases: [], coverage: part, events: 0, isWhole: true),
    ])
    func eventsOfReleasesAddUpWhereAllAreKnown(row: Row) {
        let days = row.releases.map { IssueDay.make("a", of: $0.0, events: $0.1, users: 2) }
        let source = SourceHistory.make(
            issues: [Issue(id: "a", title: "A"), Issue(id: "b", title: "B")],
            issueDays: [.make("a", 1, events: 1)] + days + [.make("b", 1, events: 1)],
            coverage: [
                CoverageSpan(.issueDays, .back(1) ... .back(0)),
                CoverageSpan(.issueReleases, .back(1) ... .back(0), row.coverage),
            ])
        let index = index(source)
        #expect(index.issues.events(of: "a", on: [.back(1), lastDay]) == [1, row.events])
        #expect(index.issues.coverage(on: lastDay).isComplete == row.isWhole)
        #expect(index.crashes.counts[lastDay] == (row.isWhole ? row.events : nil))
        #expect(
            IssueRows(index.issues)(on: lastDay).map(\.events) == (row.events ?? 0 > 0 ? [row.events] : []))
        let isSum = row.isWhole && row.releases.first?.0 != nil
        #expect(!isSum || index.issues.days["a"]?.last?.users == nil)
        #expect(index.issues.releaseDays["a"]?.count ?? 0 == row.releases.count { $0.0 != nil })
    }

    @Test(
        arguments: [
            (.complete, [5_000, 15_000], [25, 75], 20_000, 100),
            (.complete, [5_000, nil], [25, 75], nil, 100),
            (.complete, [5_000, 15_000], [25, nil], 20_000, nil),
            (part, [5_000, 15_000], [25, 75], nil, nil),
            (.unknown, [5_000, 15_000], [25, 75], nil, nil),
            (.approximate(deviation: 0.01), [5_000, 15_000], [25, 75], 20_000, 100),
        ] as [(Coverage, [Int?], [Int?], Int?, Int?)])
    func sessionsOfReleasesAddUpAndUsersNever(
        coverage: Coverage, sessions: [Int?], crashed: [Int?], all: Int?, allCrashed: Int?
    ) {
        let days = zip(["1.0", "2.0"], zip(sessions, crashed)).map {
            HealthDay.make(of: $0, sessions: $1.0, crashed: $1.1, users: 90, crashedUsers: 9)
        }
        let source = SourceHistory.make(
            health: days, coverage: [CoverageSpan(.releaseHealth, lastDay...lastDay, coverage)])
        let index = index(source)
        let day = index.rates.health[lastDay]
        #expect(day?.sessions == all && day?.crashedSessions == allCrashed)
        #expect(day?.users == nil && day?.crashedUsers == nil)
        #expect(day.map(index.rates.coverage) ?? .unknown == (all == nil ? .unknown : coverage))
        #expect(index.releases.counts.health.count == 2)
    }

    /// The report of a source that has events and sessions by release alone, of one issue on every second day.
    @Test func pagesCountWhatReleasesHad() {
        let source = SourceHistory.make(
            health: (0..<30).flatMap { back in
                [("1.0", 5_000), ("2.0", 15_000)].map { version, sessions in
                    HealthDay.make(back, of: version, sessions: sessions, crashed: sessions / 200)
                }
            },
            issues: [Issue(id: "a", title: "A"), Issue(id: "b", title: "B")],
            issueDays: (0..<30).flatMap { back -> [IssueDay] in
                [.make("a", back, of: "1.0", events: 5), .make("a", back, of: "2.0", events: 15)]
            }
                + (0..<30).flatMap { back -> [IssueDay] in
                    back % 2 == 0
                        ? [.make("b", back, events: 30, users: nil)]
                        : [.make("b", back, of: "1.0", events: 10), .make("b", back, of: "2.0", events: 20)]
                })
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let last = report.lastDay
        #expect(last.crashes == 50 && last.health?.sessions == 20_000 && !last.isCounted)
        #expect(last.sessions.value == Fraction(100, of: 20_000))
        #expect(last.summary?.entries.map(\.events) == [30, 20])
        #expect(report.issues["a"]?.window.events == 28 * 20 && report.issues["b"]?.window.events == 28 * 30)
    }
}
