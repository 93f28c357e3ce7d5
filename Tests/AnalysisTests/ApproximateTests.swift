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
            let later = try #require(index.releaseLives.first { $0.label == "1.1" })
            let earlier = try #require(index.releaseLives.first { $0.label == "1.0" })
            let shares = try [later, earlier].map { try #require(wholeCount($0.days).share) }
            let day = try #require(index.health.values.first?.crashedSessionShare)
            let stage = try #require(index.releaseStages["1.1"])
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
