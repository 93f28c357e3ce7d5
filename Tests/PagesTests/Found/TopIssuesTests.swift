import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct TopIssuesTests {
    private func summaries(_ sources: SourceHistory, limit: Int = 10) -> [TopIssuesSummary] {
        found(by: TopIssuesRule(limit: limit), in: sources).compactMap {
            if case .topIssues(let summary) = $0 { summary } else { nil }
        }
    }

    private let issues = ["a", "b", "c", "d"].map { Issue(id: $0, title: $0) }

    @Test func ranksFollowTheUsersOfTheDay() throws {
        let source = SourceHistory.make(
            health: [.make(1, users: 100), .make(0, users: 100)], issues: issues,
            issueDays: [
                .make("a", 1, users: 9), .make("a", 0, users: 3), .make("b", 1, users: 5),
                .make("b", 0, users: 7),
                .make("c", 0, users: 3), .make("d", 0, events: 3, users: nil),
                .make("d", 0, of: "1.0", users: 90),
            ])
        let last = try #require(summaries(source).last)
        #expect(last.entries.map(\.issue.id) == ["b", "a", "c", "d"])
        #expect(last.entries.map(\.rank) == [1, 2, 3, 4])
        #expect(last.entries.map(\.previousRank) == [2, 1, nil, nil])
        #expect(last.entries.map(\.users) == [7, 3, 3, nil])
        #expect(summaries(source, limit: 1).map { $0.entries.map(\.issue.id) } == [["a"], ["b"]])
    }

    /// One issue of unknown users takes none of the others away.
    @Test(
        arguments: [
            ([(100, 120), (nil, 95), (92, 110), (70, 80)], "abcd", .users),
            ([(100, 120), (nil, 300), (92, 110), (70, 80)], "bacd", .events),
            ([(2, 2), (nil, 1), (0, 5)], "abc", .users),
            ([(100, 120), (5, 70), (55, 60), (nil, 75)], "adcb", .users),
        ] as [([(Int?, Int)], String, TopIssuesSummary.Ranking)])
    func everyIssueOfADayHasARank(
        counts: [(users: Int?, events: Int)], order: String, ranking: TopIssuesSummary.Ranking
    ) {
        let days = zip(issues, counts).map { issue, count in
            IssueDay.make(issue.id, events: count.events, users: count.users)
        }
        let source = SourceHistory.make(health: [.make(users: 1000)], issues: issues, issueDays: days)
        let found = summaries(source)
        #expect(found.map { $0.entries.map(\.issue.id).joined() } == [order])
        #expect(found.map(\.ranking) == [ranking])
    }

    /// Users and events of `a`, `b` and `c` on a day: few users are often equal, events part them then.
    @Test(
        arguments: [
            ([(3, 4), (3, 9), (3, 4)], "bac"), ([(3, 4), (2, 9), (3, 5)], "cab"),
            ([(nil, 4), (2, 4), (nil, 5)], "cba"),
        ] as [([(Int?, Int)], String)])
    func equalIssuesArePartedByTheOtherCount(counts: [(users: Int?, events: Int)], order: String) {
        let days = zip(issues, counts).map { issue, count in
            IssueDay.make(issue.id, events: count.events, users: count.users)
        }
        let source = SourceHistory.make(health: [.make(users: 100)], issues: issues, issueDays: days)
        #expect(summaries(source).map { $0.entries.map(\.issue.id).joined() } == [order])
    }

    @Test(
        arguments: [
            (763, 1000, "76.3% of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
            (1000, 1000, "100% of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
            (
                99_999, 100_000,
                "more than 99.99% of your users were affected by 1 issue on Wednesday, Jan 27 UTC."
            ),
            (1, 100_000, "less than 0.01% of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
            (7, nil, "7 of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
            (1, nil, "1 of your users was affected by 1 issue on Wednesday, Jan 27 UTC."),
            (7, 0, "7 of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
            (1001, 1000, "1,001 of your users were affected by 1 issue on Wednesday, Jan 27 UTC."),
            (0, 1000, "1 crash on Wednesday, Jan 27 UTC; 100% came from 1 issue."),
            (nil, 1000, "1 crash on Wednesday, Jan 27 UTC; 100% came from 1 issue."),
        ] as [(Int?, Int?, String)])
    func sentenceGivesTheShareOfTheFirstIssue(users: Int?, all: Int?, sentence: String) {
        let source = SourceHistory.make(
            health: [.make(sessions: 9, users: all)], issues: issues, issueDays: [.make("a", users: users)])
        #expect(summaries(source).map(\.sentence) == [sentence])
    }

    /// Sessions and users that crashed are crashes too, though none of them is among the issues.
    @Test(
        arguments: [
            (.error, 24, nil, "10 events came from 1 issue on Wednesday, Jan 27 UTC."),
            (.hang, nil, 24, "10 events came from 1 issue on Wednesday, Jan 27 UTC."),
            (.error, 0, nil, "No crashes on Wednesday, Jan 27 UTC; 10 events came from 1 issue."),
            (.error, nil, nil, "No crashes on Wednesday, Jan 27 UTC; 10 events came from 1 issue."),
            (.crash, 40, 20, "40 crashed sessions on Wednesday, Jan 27 UTC; 25.0% came from 1 issue."),
            (.crash, nil, 20, "At least 20 crashes on Wednesday, Jan 27 UTC; 50.0% came from 1 issue."),
            (.crash, 8, nil, "10 crashes on Wednesday, Jan 27 UTC; 100% came from 1 issue."),
        ] as [(Issue.Kind, Int?, Int?, String)])
    func crashedSessionsAreCrashes(kind: Issue.Kind, crashed: Int?, users: Int?, sentence: String) {
        let source = SourceHistory.make(
            health: [.make(sessions: 9600, crashed: crashed, users: 900, crashedUsers: users)],
            issues: [Issue(id: "a", title: "A", kind: kind)],
            issueDays: [.make("a", events: 10, users: nil)])
        #expect(summaries(source).map(\.sentence) == [sentence])
        #expect((summaries(source).first?.crashes == 0) == sentence.hasPrefix("No crashes"))
    }

    @Test func shareIsThatOfOneIssueAndNeverASum() throws {
        let source = SourceHistory.make(
            health: [.make(users: 100, crashedUsers: 60)], issues: issues,
            issueDays: ["a", "b", "c"].map { .make($0, users: 50) })
        let summary = try #require(summaries(source).first)
        #expect(summary.share == Fraction(50, of: 100))
        #expect(summary.coverage == Fraction(50, of: 60))
    }

    @Test(arguments: [Issue.Kind.hang, .error])
    func issueThatEndsNoRunExplainsNoCrash(kind: Issue.Kind) {
        let source = SourceHistory.make(
            health: [.make(users: 100, crashedUsers: 60)], issues: [Issue(id: "a", title: "A", kind: kind)],
            issueDays: [.make("a", users: 50)])
        #expect(summaries(source).map(\.coverage) == [nil])
    }

    @Test func dayWithoutAnyFigureHasNoSummary() {
        let source = SourceHistory.make(
            health: [.make(4, users: 100), .make(0, users: 100)], issues: issues,
            issueDays: [.make("a", 4, users: 9), .make("a", 2, users: 9)])
        #expect(summaries(source).map(\.entries.count) == [1, 1, 0])
        #expect(summaries(source).map { $0.occasion.day.days(to: lastDay) } == [4, 2, 0])
    }

    @Test func dayAfterTheLastFetchOfTheIssuesHasNoSummary() {
        let health = SourceHistory.make("a", knows: [.users], health: (0...3).map { .make($0, users: 100) })
        let stale = SourceHistory.make(
            "b", knows: [.issues, .issueDays], capturedAt: .noon(back: 1), failure: timeout, issues: issues,
            issueDays: [.make("a", 3, users: 9)])
        let days = found(by: TopIssuesRule(), in: health, stale).map(\.back)
        #expect(days == [3, 2])
    }

    @Test(arguments: [Set<Capability>.all.subtracting([.issueDays]), [.users], []])
    func sourceWithoutDaysOfIssuesHasNoSummary(capabilities: Set<Capability>) {
        let source = SourceHistory.make(knows: capabilities, health: [.make(users: 100)], issues: issues)
        #expect(summaries(source).isEmpty)
    }
}
