import AppHealth
import Estimates
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// What a standard error of sessions and users does to rates, and that exact counts are as before.
struct ApproximateTests {
    private static let deviation = 0.01

    @Test(arguments: [(nil, nil, nil), (0.01, 0.01, 0.01), (0.01, nil, 0.0025), (nil, 0.02, 0.015)])
    func countsThatAreAddedUpMissByNoMoreThanBothTogether(
        first: Double?, second: Double?, both: Double?
    ) throws {
        let (one, other) = (
            try #require(DayCount(total: 100, crashed: 3, deviation: first)),
            try #require(DayCount(total: 300, crashed: 5, deviation: second))
        )
        let sum = (one + other).deviation
        #expect((sum == nil) == (both == nil) && abs((sum ?? 0) - (both ?? 0)) < 1e-12)
        #expect((DayCount.nothing + one).deviation == first)
    }

    /// A part that is counted by itself may come out as more than the whole; exactly counted that is impossible.
    @Test func aPartIsNeverMoreThanItsWhole() throws {
        #expect(Fraction(part: 101, of: 100, deviation: nil) == nil)
        let share = try #require(Fraction(part: 101, of: 100, deviation: Self.deviation))
        #expect(share.numerator == 100 && abs((share.error ?? 0) - 0.01 * 2.0.squareRoot()) < 1e-12)
        #expect(Fraction(part: 5, of: 100, deviation: nil) == Fraction(5, of: 100))
    }

    @Test func hidingCountsKeepsTheError() throws {
        let share = try #require(Fraction(300, of: 30_000, deviation: Self.deviation))
        #expect(share.coarse.error == share.error && share.complement.error == share.error)
        #expect(abs((share.error ?? 0) - 0.000_1) < 1e-12)
    }

    /// Rates of days, of releases and of their comparison all get wider.
    @Test func everyIntervalIsWider() throws {
        func history(_ deviation: Double?) -> HistoryIndex {
            var health = (0..<20).map { HealthDay.make($0, sessions: 10_000_000, crashed: 200_000) }
            health.append(.make(19, of: "0.9", sessions: 5_000_000, crashed: 100_000))
            for age in 0..<9 {
                health.append(.make(18 - age, of: "1.0", sessions: 4_000_000, crashed: 80_000))
                health.append(.make(8 - age, of: "1.1", sessions: 4_000_000, crashed: 79_000))
            }
            for place in health.indices { health[place].deviation = deviation }
            return HistoryIndex(.make(.make(health: health)), asOf: reportTime)
        }
        let (exact, sketched) = (history(nil), history(Self.deviation))
        func widths(_ index: HistoryIndex) throws -> [Double] {
            let later = try #require(index.releases.lives.first { $0.label == "1.1" })
            let earlier = try #require(index.releases.lives.first { $0.label == "1.0" })
            let shares = try [later, earlier].map { try #require(wholeCount($0.days).share) }
            let day = try #require(index.rates.health.values.first?.crashedSessionShare)
            let stage = try #require(index.releases.stages["1.1"])
            let names = RateDifference.Names(later: "1.1", earlier: "1.0")
            let difference = RateDifference(later: shares[0], earlier: shares[1], names: names)
            return [day.interval, shares[0].interval, stage.interval, difference.interval].compactMap {
                $0?.width
            }
        }
        let (narrow, wide) = (try widths(exact), try widths(sketched))
        #expect(narrow.count == 4 && wide.count == 4)
        for (own, other) in zip(narrow, wide) { #expect(other > own * 1.5, "\(own) \(other)") }
    }
}

/// What is said of an app whose counts are approximate.
extension ApproximateTests {
    /// Days of users and sessions with an error, and what an issue did on the last one.
    private func history(
        _ deviation: Double?, days: Int = 40, crashed: Int = 100_000, events: Int = 0
    ) -> HistoryIndex {
        HistoryIndex(
            app(deviation, days: days, crashed: crashed, events: events), asOf: reportTime,
            targets: Targets(target: 0.99, critical: 0.97) ?? .standard)
    }

    private func app(_ deviation: Double?, days: Int, crashed: Int, events: Int) -> AppHistory {
        var health = (0..<days).map {
            HealthDay.make(
                $0, sessions: 10_000_000, crashed: crashed, users: 5_000_000, crashedUsers: crashed / 2)
        }
        for place in health.indices { health[place].deviation = deviation }
        let covered = lastDay.advanced(by: 1 - days)...lastDay
        let coverage = deviation.map { Coverage.approximate(deviation: $0) } ?? .complete
        return .make(
            .make(
                health: health,
                usage: [UsageDay(date: lastDay, activeUsers: 1_000_000, monthlyActiveUsers: 4_000_000)],
                issues: [Issue(id: "a", title: "A", firstSeen: Instant(startOf: lastDay))],
                issueDays: events > 0 ? [.make("a", events: events, users: events)] : [],
                coverage: CoveredFact.allCases.map { CoverageSpan($0, covered, coverage) }))
    }

    /// The share of a new issue must be above the threshold whatever the error: events of 10,000,000 sessions.
    @Test(
        arguments: [
            (nil, 100_500, true), (0.01, 100_500, false), (0.01, 103_000, true), (nil, 99_000, false),
        ] as [(Double?, Int, Bool)])
    func newIssuesAreReportedWhereTheErrorLeavesNoDoubt(deviation: Double?, events: Int, isFound: Bool) {
        let alerts = IssueVelocityRule().newIssueAlerts(
            in: history(deviation, crashed: 110_000, events: events))
        #expect(alerts.isEmpty != isFound)
        #expect(alerts.allSatisfy { ($0.share?.error == nil) == (deviation == nil) })
    }

    /// The true rate is about what the target allows: crashed of 10,000,000, and what may be said of a month.
    @Test(
        arguments: [
            (nil, 101_000, true), (0.01, 101_000, false), (nil, 99_000, true), (0.01, 99_000, false),
            (0.01, 103_000, true), (0.01, 97_000, true),
        ] as [(Double?, Int, Bool)])
    func aBudgetIsJudgedWhereTheErrorLeavesNoDoubt(deviation: Double?, crashed: Int, isSure: Bool) throws {
        let budget = try #require(
            StabilityBudget(history(deviation, crashed: crashed), through: lastDay))
        let isJudged = budget.verdict == .meets || budget.verdict == .misses
        #expect(isJudged == isSure, "\(budget.verdict)")
        #expect((budget.forecast != nil) == isSure)
        #expect((budget.deviation == nil) == (deviation == nil))
    }

    @Test func sharesOfUsersAreWider() throws {
        func widths(_ deviation: Double?) throws -> [Double] {
            let index = history(deviation, events: 5_000)
            let summary = try #require(
                TopIssuesRule().events(in: index).lazy.compactMap { event -> TopIssuesSummary? in
                    if case .topIssues(let summary) = event, !summary.entries.isEmpty { summary } else { nil }
                }.first)
            let affected = try #require(AffectedUsers(summary, limit: 3))
            #expect(affected.deviation == deviation && summary.areUsersEstimated == (deviation != nil))
            let whole = AppAnalysis(
                app(deviation, days: 40, crashed: 100_000, events: 5_000), targets: .standard,
                asOf: reportTime)
            let section = whole.usage
            let stickiness = try #require(section.stickiness(on: lastDay))
            return [affected.rows.first?.interval, summary.share?.interval, stickiness.interval].compactMap {
                $0?.width
            }
        }
        let (exact, sketched) = (try widths(nil), try widths(Self.deviation))
        #expect(exact.count == 3 && sketched.count == 3)
        for (own, other) in zip(exact, sketched) { #expect(other > own * 1.2, "\(own) \(other)") }
        // Daily and monthly users both miss: 1.96 × 0.25 × 0.01 × √2 on either side.
        #expect(abs(sketched[2] / 2 - 1.96 * 0.25 * 0.01 * 2.0.squareRoot()) < 0.000_2)
    }

    /// Sessions of no release that are no more than the error of both totals are not shown.
    @Test(arguments: [(nil, 2), (0.01, 1)] as [(Double?, Int)])
    func sessionsOfNoReleaseMustBeMoreThanTheError(deviation: Double?, parts: Int) throws {
        var health: [HealthDay] = []
        for (back, crashed) in [(1, 10_000), (0, 40_000)] {
            health.append(.make(back, sessions: 1_005_000, crashed: crashed + 10))
            health.append(.make(back, of: "1.0", sessions: 1_000_000, crashed: crashed))
        }
        for place in health.indices { health[place].deviation = deviation }
        let index = HistoryIndex(.make(.make(health: health)), asOf: reportTime)
        let found = try #require(DropBreakdown(index, before: [.back(1)], after: lastDay...lastDay))
        #expect(found.parts.count == parts)
    }

    /// How many more would be needed: none would do where the error alone reaches over the target.
    @Test(
        arguments: [
            (nil, 10_200, nil, false), (nil, 10_010, 379_000_000...380_000_000, true),
            (0.01, 10_150, nil, true), (0.001, 10_150, 690_000...2_000_000, true),
        ] as [(Double?, Int, ClosedRange<Int>?, Bool)])
    func moreIsNeededOnlyWhereItHelps(
        deviation: Double?, crashed: Int, needed: ClosedRange<Int>?, isOpen: Bool
    ) throws {
        let share = try #require(Fraction(crashed, of: 1_000_000, deviation: deviation))
        let verdict = Verdict(
            on: share, against: try #require(Targets(target: 0.99, critical: 0.97)))
        guard case .notEnoughData(let count) = verdict else {
            #expect(!isOpen, "\(verdict)")
            return
        }
        #expect(isOpen && (count == nil) == (needed == nil))
        if let count, let needed { #expect(needed.contains(count), "\(count)") }
    }
}
