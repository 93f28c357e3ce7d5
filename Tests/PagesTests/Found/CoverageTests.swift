import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

struct CoverageTests {
    private let issues = ["a", "b", "c"].map { Issue(id: $0, title: $0) }
    private static let days = CivilDate.back(59)...CivilDate.back(0)

    private func index(_ sources: SourceHistory...) -> HistoryIndex {
        HistoryIndex(AppHistory(app: AppHistory.make().app, sources: sources), asOf: reportTime)
    }

    private func analysis(_ sources: SourceHistory...) -> AppAnalysis {
        AppAnalysis(
            AppHistory(app: AppHistory.make().app, sources: sources), targets: .standard, asOf: reportTime)
    }

    /// A source of issues alone.
    private func counted(
        _ rows: [IssueDay], _ coverage: Coverage, health: [HealthDay] = [],
        over days: ClosedRange<CivilDate> = Self.days
    ) -> SourceHistory {
        .make(
            knows: [.issues, .issueDays], health: health, issues: issues, issueDays: rows,
            coverage: [CoverageSpan(.issueDays, days, coverage), CoverageSpan(.crashes, days)])
    }

    private static let part = Coverage.partial(counted: 2, of: 9)

    @Test(
        arguments: [
            // Crashes of the rows, coverage, the day's total, the sentence.
            ([14, 20], .complete, nil, "34 crashes on Wednesday, Jan 27 UTC; 58.8% came from 1 issue."),
            ([14, 20], .complete, 34, "34 crashes on Wednesday, Jan 27 UTC; 58.8% came from 1 issue."),
            ([1], .complete, nil, "1 crash on Wednesday, Jan 27 UTC; 100% came from 1 issue."),
            ([14, 20], part, 50, "50 crashes on Wednesday, Jan 27 UTC; 40.0% came from 1 issue."),
            ([14, 20], part, nil, "20 crashes came from 1 of the reported issues on Wednesday, Jan 27 UTC."),
            (
                [14, 20], .unknown, nil,
                "20 crashes came from 1 of the reported issues on Wednesday, Jan 27 UTC."
            ),
            // A total below its parts is none.
            ([14, 20], part, 10, "20 crashes came from 1 of the reported issues on Wednesday, Jan 27 UTC."),
            ([], .complete, nil, "No issues on Wednesday, Jan 27 UTC."),
            ([], part, 27, "27 crashes on Wednesday, Jan 27 UTC; their issues are unknown."),
            ([], part, 0, "No crashes on Wednesday, Jan 27 UTC."),
            ([], part, nil, nil), ([], .unknown, nil, nil),
        ] as [([Int], Coverage, Int?, String?)])
    func topIssuesByEvents(events: [Int], coverage: Coverage, total: Int?, sentence: String?) {
        let rows = zip(["a", "b", "c"], events).map { IssueDay.make($0, events: $1, users: nil) }
        let health = total.map { [HealthDay(date: lastDay, crashes: $0)] } ?? []
        let source = counted(rows, coverage, health: health)
        let found = found(by: TopIssuesRule(), in: source).filter { $0.back == 0 }
        #expect(found.first?.sentence == sentence)
    }

    @Test(
        arguments: [
            // Users of a and b, events of c whose users are not known, what ranks, the order.
            ([9, 5], 3, .users, ["a", "b", "c"]), ([9, 5], 9, .users, ["a", "c", "b"]),
            ([9, 5], 10, .events, ["c", "a", "b"]),
            ([nil, nil], 1, .events, ["a", "b", "c"]), ([nil, 5], 4, .events, ["a", "b", "c"]),
        ] as [([Int?], Int, TopIssuesSummary.Ranking, [String])])
    func ranksByUsersOnlyWhenTheFirstIsSure(
        users: [Int?], unknown: Int, ranking: TopIssuesSummary.Ranking, order: [String]
    ) {
        let rows =
            zip(["a", "b"], users).map { IssueDay.make($0, events: $0 == "a" ? 9 : 5, users: $1) }
            + [.make("c", events: unknown, users: nil)]
        let found = found(by: TopIssuesRule(), in: counted(rows, .complete)).last
        guard case .topIssues(let summary)? = found else { return #expect(Bool(false)) }
        #expect(summary.ranking == ranking)
        #expect(summary.entries.map(\.issue.id) == order)
    }

    @Test func aDayIsListedAsSoonAsAnyFactCoversIt() {
        let issueDay = SourceHistory.make(
            knows: [.issues, .issueDays], issues: issues, issueDays: [.make("a", 3, events: 2, users: nil)],
            coverage: [])
        let use = SourceHistory.make(knows: [.usage], usage: [UsageDay(date: .back(2), activeUsers: 5)])
        #expect(index(issueDay).days == (0...3).reversed().map { CivilDate.back($0) })
        #expect(index(use).days.first == .back(2))
        #expect(index(counted([], .complete, over: .back(4) ... .back(1))).days.first == .back(4))
        #expect(index(counted([], Self.part)).days.isEmpty)
        #expect(analysis(issueDay).facts.lastDay == .back(3))
        #expect(analysis(issueDay).day(.back(3)).summary?.entries.count == 1)
    }

    @Test(
        arguments: [
            (.complete, nil, 12), (.complete, 30, 30), (part, nil, nil), (part, 30, 30), (.unknown, nil, nil),
            (.unknown, 30, 30),
        ] as [(Coverage, Int?, Int?)])
    func crashesOfADayAreItsTotalOrTheSumOfAWholeDay(coverage: Coverage, total: Int?, crashes: Int?) {
        let rows = [IssueDay.make("a", events: 5, users: nil), .make("b", events: 7, users: nil)]
        let health = total.map { [HealthDay(date: lastDay, crashes: $0)] } ?? []
        #expect(index(counted(rows, coverage, health: health)).crashes.counts[lastDay] == crashes)
    }

    @Test(
        arguments: [
            // The first day that is covered, the days that are known, the events, the share of their sessions.
            (27, .complete, 28, 280, 280, 28_000), (12, .complete, 13, 130, 130, 13_000),
            (12, part, 13, 130, 130, 13_000), (12, .unknown, 13, 130, 130, 13_000),
        ] as [(Int, Coverage, Int, Int, Int, Int)])
    func windowCountsTheDaysThatAreKnown(
        first: Int, coverage: Coverage, known: Int, events: Int, part: Int, whole: Int
    ) throws {
        var source = counted(
            (0...first).map { .make("a", $0, events: 10, users: nil) }, coverage,
            over: .back(first) ... .back(0))
        source.source.capabilities.insert(.sessions)
        source.health = (0..<60).map { .make($0, sessions: 1000, crashed: 1) }
        let facts = try #require(analysis(source).issue(withID: "a"))
        #expect(facts.window.knownDays == known)
        #expect(facts.window.events == events)
        #expect(facts.window.share == Fraction(part, of: whole))
        #expect(facts.window.values?.compactMap(\.self).count == known)
    }

    /// The days with an event, of which two days ago has no sessions: where there are no others, the share is not known.
    @Test(arguments: [([2], nil), ([2, 3], 1), ([3], 1), ([3, 4], 2)] as [([Int], Int?)])
    func eventsOfDaysWithoutSessionsAreNoShareOfNone(seen: [Int], part: Int?) throws {
        var source = counted(
            (0...27).map { .make("a", $0, events: seen.contains($0) ? 1 : 0, users: nil) }, .complete,
            over: .back(27) ... .back(0))
        source.source.capabilities.insert(.sessions)
        source.health = (0..<60).filter { $0 != 2 }.map { .make($0, sessions: 1000, crashed: 1) }
        let facts = try #require(analysis(source).issue(withID: "a"))
        #expect(facts.window.events == seen.count)
        #expect(facts.window.share == part.flatMap { Fraction($0, of: 27_000) })
    }

    @Test(
        arguments: [
            // A steady issue of 15 a day, known for so many of 60 days; the last ones may be silent.
            (60, 0, .complete, []), (14, 0, .complete, []), (14, 0, part, []), (14, 0, .unknown, []),
            (60, 9, .complete, ["gone"]), (60, 9, part, []), (60, 9, .unknown, []),
        ] as [(Int, Int, Coverage, [String])])
    func unknownDaysAreNoZerosForTrends(known: Int, silent: Int, coverage: Coverage, signals: [String]) {
        var source = counted(
            (silent..<known).map { .make("a", $0, events: 15 + $0 * 5 % 3 - 1, users: nil) }, coverage,
            over: .back(known - 1) ... .back(0))
        source.source.capabilities.insert(.sessions)
        source.health = (0..<60).map { .make($0, sessions: 1000, crashed: 1) }
        source.issues = [Issue(id: "a", title: "a", firstSeen: .noon(back: 200))]
        let trends = IssueTrends(index(source)).byIssue["a"]
        #expect(trends?.signals.map(\.rawValue) == signals)
        #expect(trends?.course?.rises != true)
        #expect(found(by: IssueVelocityRule(), in: source).isEmpty)
    }

    @Test(arguments: [(Coverage.complete, 1), (part, 0), (.unknown, 0)])
    func issueWithoutAFirstDayIsNewOnlyAfterWholeDays(coverage: Coverage, count: Int) {
        let rows = (0..<50).map { IssueDay.make("b", $0) } + [.make("a", 3), .make("a", 2)]
        let new = found(by: NewIssueRule(), in: counted(rows, coverage))
        #expect(new.compactMap(\.issueID) == Array(repeating: "a", count: count))
    }

    @Test(
        arguments: [
            (.complete, nil, "1 issue accounts for 90.0% of 20 crashes."),
            (
                .complete, 40,
                "All 2 crash issues account for 50.0% of 40 crashes; the rest belong to no issue."
            ),
            (part, nil, nil), (.unknown, nil, nil),
            (part, 20, "1 issue accounts for 90.0% of 20 crashes."),
            (part, 40, "2 issues account for 50.0% of 40 crashes; the rest belong to issues not reported."),
        ] as [(Coverage, Int?, String?)])
    func fewIssuesExplainMostOnlyOfAKnownWhole(coverage: Coverage, total: Int?, sentence: String?) {
        let rows = [IssueDay.make("a", events: 18, users: nil), .make("b", events: 2, users: nil)]
        let health = total.map { [HealthDay(date: lastDay, crashes: $0)] } ?? []
        let index = index(counted(rows, coverage, health: health))
        #expect(TopCrashIssues(index, on: lastDay...lastDay)?.sentence == sentence)
    }

    @Test func crashesOfSomeDaysNameTheDays() {
        let rows = (0..<13).map { IssueDay.make("a", $0, events: 2, users: nil) }
        let index = index(counted(rows, .complete, over: .back(12) ... .back(0)))
        #expect(
            TopCrashIssues(index, on: .back(27) ... .back(0))?.sentence
                == "1 issue accounts for 100% of 26 crashes on 13 of 28 days.")
    }

    @Test(arguments: [(Coverage.complete, true), (part, false), (.unknown, false)])
    func quietIsSaidOfWholeDaysAlone(coverage: Coverage, isQuiet: Bool) {
        var source = counted([], coverage)
        source.source.capabilities.formUnion([.users, .sessions])
        source.health = (0..<60).map {
            .make($0, sessions: 90_000, crashed: 9, users: 90_000, crashedUsers: 9)
        }
        #expect((analysis(source).lastDay.quiet != nil) == isQuiet)
    }

    @Test func aPastDayShowsNothingOfLaterDays() throws {
        let rows = (0..<40).map { IssueDay.make("a", $0, events: $0 + 1, users: nil) }
        let section = analysis(counted(rows, .complete)).issues
        let facts = try #require(section["a"])
        let values = try #require(section.values(of: facts, through: .back(10)))
        #expect(values.last == 11 && values.first == 38 && values.count == 28)
    }
}

extension CoverageTests {
    @Test(
        arguments: [
            // How much of the users, of the sessions, of the day, and what its page says of it.
            (.complete, .complete, .complete, "."), (.complete, .unknown, .unknown, "."),
            (.unknown, .unknown, .unknown, "."),
            (
                .partial(counted: 12, of: 100), .complete, .partial(counted: 12, of: 100),
                "; partial: 12% of the data."
            ),
            (.complete, .partial(counted: nil, of: nil), .partial(counted: nil, of: nil), "; partial."),
            (
                .approximate(deviation: 0.002_872), .complete, .approximate(deviation: 0.002_872),
                "; counts ±0.56%, approximate."
            ),
            (
                .partial(counted: 12, of: 100, deviation: 0.002_872), .complete,
                .partial(counted: 12, of: 100, deviation: 0.002_872),
                "; partial: 12% of the data; counts ±0.56%, approximate."
            ),
        ] as [(Coverage, Coverage, Coverage, String)])
    func aDayWhoseUsersWereSampledSaysSo(
        users: Coverage, sessions: Coverage, day: Coverage, sentence: String
    ) {
        let source = SourceHistory.make(
            health: [HealthDay(date: lastDay, sessions: 900, crashedSessions: 9, users: 90, crashedUsers: 4)],
            coverage: [
                CoverageSpan(.users, lastDay...lastDay, users),
                CoverageSpan(.sessions, lastDay...lastDay, sessions),
            ])
        let section = analysis(source)
        #expect(section.stability.coverage[lastDay] == day)
        #expect(section.day(lastDay).coverage == day)
        let row = section.stability.table(of: [lastDay]).rows.first?.last
        let word = day.isPartial ? "partial" : day.deviation > 0 ? "approximate" : "complete"
        #expect(row == (day.isKnown ? .text(word) : .absent))
        #expect(section.facts.freshnessSentence.hasSuffix(sentence))
    }
}
