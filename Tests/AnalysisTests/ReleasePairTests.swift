import Analysis
import AppHealth
import HistoryFixtures
import Statistics
import Testing

struct ReleasePairTests {
    typealias Days = [(sessions: Int, crashed: Int)?]

    /// Two releases of which the later began so many days before the end, after a first day of another one; the
    /// app has so many sessions that both are in use from their first day on.
    private func lives(
        _ later: Days, _ earlier: Days, coverage: [CoverageSpan]? = nil
    ) -> (later: ReleaseHistory?, earlier: ReleaseHistory?) {
        let all = later.count + earlier.count + 1
        var health = (0..<all).map { HealthDay.make($0, sessions: 100_000, crashed: 100) }
        health.append(.make(all - 1, of: "0.9", sessions: 50_000, crashed: 100))
        for (age, day) in earlier.enumerated() {
            guard let day else { continue }
            health.append(.make(all - 2 - age, of: "1.0", sessions: day.sessions, crashed: day.crashed))
        }
        for (age, day) in later.enumerated() {
            guard let day else { continue }
            health.append(
                .make(later.count - 1 - age, of: "1.1", sessions: day.sessions, crashed: day.crashed))
        }
        let index = HistoryIndex(.make(.make(health: health, coverage: coverage)), asOf: reportTime)
        func life(_ label: String) -> ReleaseHistory? { index.releases.lives.first { $0.label == label } }
        return (life("1.1"), life("1.0"))
    }

    private func pair(
        _ later: Days, _ earlier: Days, coverage: [CoverageSpan]? = nil
    ) -> ReleasePair? {
        let lives = lives(later, earlier, coverage: coverage)
        guard let later = lives.later, let earlier = lives.earlier else { return nil }
        return ReleasePair(later, earlier)
    }

    private static func steady(_ crashed: Int, days: Int = 14, sessions: Int = 10_000) -> Days {
        Array(repeating: (sessions, crashed), count: days)
    }

    @Test(
        arguments: [
            (steady(300, days: 4), steady(30), .worse), (steady(10), steady(300), .better),
            (steady(30), steady(30), .notShown), (steady(30, days: 2), steady(32), .notShown),
            // Some percent more may come from who took it first.
            (steady(310), steady(300), .notShown),
            // Far apart, but of too few.
            ([(1000, 1)], steady(1, sessions: 1000), .notShown),
            (steady(0), steady(0), .notShown), (steady(10_000), steady(0), .worse),
        ] as [(Days, Days, ReleasePair.Finding)])
    func whatTheDaysShow(later: Days, earlier: Days, finding: ReleasePair.Finding) throws {
        #expect(try #require(pair(later, earlier)).finding == finding)
    }

    /// Of days of which many crashes are still coming in, it is not known whether they crash less.
    @Test(arguments: [(0, true), (2, true), (4, false)]) func fewerCrashesNeedDaysWithAllOfThem(
        late: Int, isBetter: Bool
    ) throws {
        let lives = lives(Self.steady(10, days: 4), Self.steady(300))
        let (later, earlier) = (try #require(lives.later), try #require(lives.earlier))
        let pair = try #require(
            ReleasePair(later, earlier, late: Set((0..<late).map(CivilDate.back))))
        #expect(pair.finding == (isBetter ? .better : .notShown))
        #expect(pair.doubt == (isBetter ? nil : .crashesComingIn))
        // That it crashes more they can show.
        let worse = self.lives(Self.steady(300, days: 4), Self.steady(10))
        let (bad, good) = (try #require(worse.later), try #require(worse.earlier))
        #expect(ReleasePair(bad, good, late: Set((0..<late).map(CivilDate.back)))?.finding == .worse)
    }

    @Test func daysOfTheSameAgeAreHeldAgainstEachOther() throws {
        let pair = try #require(
            self.pair([(2000, 40), nil, (4000, 20)], [(1500, 60), (2500, 5), (5000, 10), (9000, 9)]))
        #expect(pair.age == 2 && pair.days == 2)
        #expect(pair.atAge.later == DayCount(total: 6000, crashed: 60))
        #expect(pair.atAge.earlier == DayCount(total: 6500, crashed: 70))
        // The first 6,000 of each: of the earlier one two days and 2,000 of the third.
        #expect(pair.atSessions.later == DayCount(total: 6000, crashed: 60))
        #expect(pair.atSessions.earlier == DayCount(total: 6000, crashed: 69))
    }

    /// After a day of which nothing is known, no session has a number any more.
    @Test func equalSessionsEndAtTheFirstUnknownDay() throws {
        let days: (Days, Days) = (
            [(2000, 40), nil, (4000, 20)], [(1500, 60), (2500, 5), (5000, 10), (9000, 9)]
        )
        let pair = try #require(self.pair(days.0, days.1, coverage: []))
        #expect(pair.atAge.later == DayCount(total: 6000, crashed: 60))
        #expect(pair.atSessions.later == DayCount(total: 2000, crashed: 40))
        #expect(pair.atSessions.earlier == DayCount(total: 2000, crashed: 61))
    }

    @Test func aReleaseOfUnknownAgeHasNoPair() throws {
        let known = lives(Self.steady(3, days: 3), Self.steady(3, days: 3))
        let later = try #require(known.later)
        for start in [ReleaseHistory.Start.beforeFigures, .belowShare(missing: 9)] {
            let history =
                start == .beforeFigures
                ? [HealthDay.make(0, sessions: 9000), .make(0, of: "a", sessions: 9000, crashed: 1)]
                : [.make(0, sessions: 9000), .make(0, of: "a", sessions: 9, crashed: 1)]
            let index = HistoryIndex(.make(.make(health: history)), asOf: reportTime)
            let life = try #require(index.releases.lives.first)
            #expect(life.start != .known)
            #expect(ReleasePair(later, life) == nil && ReleasePair(life, later) == nil)
        }
    }

    @Test func onlyAgesOfBothCount() throws {
        let lives = lives([(2000, 2), nil, (2000, 2)], Self.steady(2, days: 1, sessions: 2000))
        let (later, earlier) = (try #require(lives.later), try #require(lives.earlier))
        let pair = try #require(ReleasePair(later, earlier))
        #expect(pair.age == 0 && pair.days == 1)
    }
}
