import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// Histories with gaps: a missing day counts nowhere as zero, and a sum over known days says of how many.
struct GapTests {
    private static let part = Coverage.partial(counted: 2, of: 9)

    private func index(_ source: SourceHistory) -> HistoryIndex {
        HistoryIndex(AppHistory.make(source), asOf: reportTime)
    }

    private func release(_ source: SourceHistory, _ label: String = "2") throws -> ReleaseFacts {
        try #require(
            AppAnalysis(AppHistory.make(source), targets: .standard, asOf: reportTime).releases[label])
    }

    /// Sessions of two releases on these days before the last one, of days that are covered in a way.
    private func releases(
        on backs: [Int], out: Int? = nil, _ coverage: (Int) -> Coverage
    ) -> SourceHistory {
        let health = (0...9).flatMap { back -> [HealthDay] in
            [.make(back, sessions: 10_000, crashed: 50), .make(back, of: "1", sessions: 5000, crashed: 20)]
        }
        let own = backs.map { HealthDay.make($0, of: "2", sessions: 4000, crashed: 30) }
        return .make(
            health: health + own,
            releases: [
                Release(version: Version("2"), releasedAt: out.map { .noon(back: $0) }),
                Release(version: Version("1"), releasedAt: nil),
            ],
            coverage: (0...9).map { CoverageSpan(.releaseHealth, .back($0) ... .back($0), coverage($0)) })
    }

    @Test(
        arguments: [
            // The days with a row, the day on which it came out, how others are covered, known days of all.
            ([0, 1, 2, 3], nil, .complete, 4, 4), ([0, 1, 3], nil, .complete, 4, 4),
            ([0, 1, 3], nil, part, 3, 4), ([0, 1, 3], nil, .unknown, 3, 4),
            // Out before the archive began: nothing is known of those days.
            ([0, 1, 2, 3], 19, .complete, 10, 20), ([0, 1, 2, 3], 19, .unknown, 4, 20),
            // It was used last four days ago.
            ([4, 5], 5, .complete, 2, 2),
        ] as [([Int], Int?, Coverage, Int, Int)])
    func lifeOfAReleaseSaysOfHowManyDays(
        backs: [Int], out: Int?, coverage: Coverage, known: Int, all: Int
    ) throws {
        let facts = try release(releases(on: backs, out: out) { _ in coverage })
        #expect(facts.life == KnownDays(known: known, all: all))
        #expect(facts.sessions == 4000 * backs.count)
    }

    /// A day with sessions of which the crashed ones are not known takes no rate away, and is none without sessions.
    @Test(arguments: [Coverage.complete, part, .unknown])
    func aDayWithoutCrashedSessionsIsNotOfTheLife(coverage: Coverage) throws {
        var source = releases(on: [0, 1, 2, 3, 4], out: 4) { _ in coverage }
        for place in source.health.indices
        where source.health[place].version == "2" && source.health[place].date >= .back(3)
            && source.health[place].date <= .back(2)
        {
            source.health[place].crashedSessions = nil
        }
        let facts = try release(source)
        #expect(facts.crashed.value == Fraction(90, of: 12_000))
        #expect(facts.sessions == 12_000 && facts.life == KnownDays(known: 3, all: 5))
        #expect(facts.evaluation.why.contains("over 3 of days 0–4"), "\(facts.evaluation.why)")
    }

    /// Without any crashed sessions there is no rate, and the sessions are those of all days.
    @Test func sessionsWithoutCrashedOnesAreSessions() throws {
        var source = releases(on: [0, 1, 2]) { _ in .complete }
        for place in source.health.indices { source.health[place].crashedSessions = nil }
        let facts = try release(source)
        #expect(facts.crashed.value == nil && facts.sessions == 12_000)
        #expect(facts.life == KnownDays(known: 3, all: 3) && facts.crashedSessions == nil)
    }

    @Test(
        arguments: [
            // How the last day, which has no row of it, is covered; its share of that day, and its stage.
            (.complete, 0, "Replaced"), (part, nil, "Adopted"), (.unknown, nil, "Adopted"),
        ] as [(Coverage, Int?, String)])
    func aReleaseWithoutARowIsUnusedOnlyOnAWholeDay(
        coverage: Coverage, share: Int?, stage: String
    ) throws {
        let facts = try release(releases(on: [3, 2, 1]) { $0 == 0 ? coverage : .complete })
        #expect(facts.adoption.value?.numerator == share)
        #expect(facts.stage?.words == stage)
    }

    @Test(arguments: [
        (Coverage.complete, "over days 0–4"), (part, "over 3 of days 0–4"), (.unknown, "over 3 of days 0–4"),
    ])
    func aVerdictSaysOnHowManyDaysItRests(coverage: Coverage, span: String) throws {
        let facts = try release(
            releases(on: [0, 2, 4], out: 4) { [0, 2, 4, 9].contains($0) ? .complete : coverage })
        #expect(facts.evaluation.why.contains(span), "\(facts.evaluation.why)")
    }

    @Test(arguments: [(Coverage.complete, [5]), (part, []), (.unknown, [5])])
    func useThatIsKnownInPartIsNoAnomaly(coverage: Coverage, backs: [Int]) {
        let usage = (0..<120).map { back in
            UsageDay(date: .back(back), activeUsers: back == 5 ? 3000 : 9000 + back * 37 % 11 * 20)
        }
        let source = SourceHistory.make(
            usage: usage,
            coverage: (0..<120).map {
                CoverageSpan(.usage, .back($0) ... .back($0), $0 == 5 ? coverage : .complete)
            })
        #expect(found(by: UsageAnomalyRule(), in: source).map(\.back) == backs)
    }

    @Test(arguments: [(Coverage.complete, [45, 5]), (part, [45]), (.unknown, [45])])
    func anIssueIsReportedAgainAfterDaysThatAreKnownToBeQuiet(coverage: Coverage, backs: [Int]) {
        let rows = [45, 5].map { IssueDay.make("a", $0, events: 500, users: 500) }
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 10_000, crashed: 500) },
            issues: [Issue(id: "a", title: "a", firstSeen: .noon(back: 47))], issueDays: rows,
            coverage: (0..<60).map {
                CoverageSpan(.issueDays, .back($0) ... .back($0), $0 > 30 || $0 < 6 ? .complete : coverage)
            })
        let rule = IssueVelocityRule(newDays: 60)
        #expect(found(by: rule, in: source).map(\.back) == backs)
    }

    @Test(
        arguments: [
            // How the two days without a row are covered; its events of the sessions of which days.
            (.complete, 20, 12_000), (part, 20, 4000), (.unknown, 20, 4000),
        ] as [(Coverage, Int, Int)])
    func theShareInAReleaseCountsTheDaysWithoutTheIssue(coverage: Coverage, events: Int, sessions: Int) throws
    {
        let source = SourceHistory.make(
            health: (0...2).flatMap { [.make($0, sessions: 9000), .make($0, of: "2", sessions: 4000)] },
            issues: [Issue(id: "a", title: "a")],
            issueDays: [.make("a", 1, events: 20), .make("a", 1, of: "2", events: 20)],
            coverage: (0...2).map {
                CoverageSpan(.issueReleases, .back($0) ... .back($0), $0 == 1 ? .complete : coverage)
            })
        let facts = try #require(
            AppAnalysis(AppHistory.make(source), targets: .standard, asOf: reportTime).issue(withID: "a"))
        #expect(facts.window.releases.map(\.share) == [Fraction(events, of: sessions)])
    }

    @Test func aBacktestSaysTheDaysOfEachKind() throws {
        let source = SourceHistory.make(
            health: (0..<50).map { back in
                HealthDay(
                    date: .back(back), sessions: back < 10 ? 1000 : nil, crashedSessions: back < 10 ? 5 : nil,
                    crashes: back % 2 == 0 ? 7 : nil)
            }, usage: (0..<20).map { UsageDay(date: .back($0), activeUsers: 900) },
            issues: [Issue(id: "a", title: "a")], issueDays: (0..<30).map { .make("a", $0) },
            coverage: [
                CoverageSpan(.crashes, .back(49) ... .back(0)),
                CoverageSpan(.issueDays, .back(29) ... .back(20), Self.part),
                CoverageSpan(.issueDays, .back(19) ... .back(5)),
            ])
        let known = Backtest(index(source), days: 40, mutes: []).knownDays
        #expect(known.rate == 10 && known.issues == 30 && known.allIssues == 15 && known.use == 20)
        // Totals of every second day; the sum of the issues of the others where all are known.
        #expect(known.crashes == 20 + 8)
    }
}
