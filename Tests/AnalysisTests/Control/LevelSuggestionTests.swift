import Analysis
import AppHealth
import Statistics
import Testing

struct LevelSuggestionTests {
    /// Days of 100,000 users each, by so many crashed users.
    private static func suggestion(_ crashed: [Int], of users: Int = 100_000) -> LevelSuggestion? {
        try? LevelSuggestion(crashed.compactMap { Fraction($0, of: users) })
    }

    private static func absence(_ crashed: [Int]) -> LevelSuggestion.Shortage? {
        do throws(LevelSuggestion.Shortage) {
            _ = try LevelSuggestion(crashed.compactMap { Fraction($0, of: 100_000) })
            return nil
        } catch { return error }
    }

    /// `target critical missed missed far`, in hundredths of a per cent.
    private static func reported(_ suggestion: LevelSuggestion?) -> [Int] {
        guard let suggestion else { return [] }
        return [
            Int((suggestion.targets.target * 10_000).rounded()),
            Int((suggestion.targets.critical * 10_000).rounded()), suggestion.misses.target,
            suggestion.misses.critical, suggestion.farBelow,
        ]
    }

    @Test(arguments: [
        // Crash-free rates from 99.30 to 99.20%: 4 of 90 may be missed, and 99.2 is missed by none.
        ((0..<90).map { 700 + $0 % 11 * 10 }, 100_000, [9920, 9880, 0, 0, 0]),
        // A hundred rates one hundredth apart from 99.50 on: 5 lie below the sixth lowest, 98.56, so 98.5.
        ((0..<100).map { 500 + $0 * 10 }, 100_000, [9850, 9770, 0, 0, 0]),
        // Ten days of an incident have no say, and miss both.
        ((0..<90).map { $0 < 10 ? 4000 : 610 + $0 % 10 }, 100_000, [9930, 9890, 10, 10, 10]),
        // Very stable: steps of a hundredth.
        ((0..<28).map { 20 + $0 % 3 }, 100_000, [9997, 9995, 0, 0, 0]),
        // Nothing ever crashed: not 100%.
        ([Int](repeating: 0, count: 28), 100_000, [9999, 9998, 0, 0, 0]),
        // A tiny app: a day with one crash is none of those far below.
        ((0..<80).map { $0 % 8 == 0 ? 1 : 0 }, 40, [9750, 9620, 0, 0, 0]),
        // Five sessions a day and a crash every 25 days: 20 of 2,500 is 99.2%, and 98.77% at the least.
        ((0..<500).map { $0 % 25 == 0 ? 1 : 0 }, 5, [9870, 9800, 20, 20, 20]),
    ])
    func levelsAreThoseOfThePast(crashed: [Int], users: Int, levels: [Int]) {
        #expect(Self.reported(Self.suggestion(crashed, of: users)) == levels)
        #expect(Self.reported(Self.suggestion(crashed.reversed(), of: users)) == levels)
    }

    /// What the days without outliers miss is within the shares by which the levels are chosen.
    @Test func missesOfUsualDaysAreWithinTheShares() throws {
        let crashed = (0..<100).map { $0 < 10 ? 9_000 : $0 < 13 ? 520 : 450 + $0 % 10 }
        let found = try #require(Self.suggestion(crashed))
        #expect(found.days == 100 && found.usualDays == 90 && found.misses.target == 13)
        #expect(found.usualMisses.target == 3 && found.misses.critical == 10)
        #expect(found.usualMisses.critical == 0)
    }

    @Test(
        arguments: [
            ([Int](repeating: 500, count: 0), .moreDays(28)),
            ([Int](repeating: 500, count: 1), .moreDays(27)),
            ([Int](repeating: 500, count: 27), .moreDays(1)),
            // Five days of an incident count for nothing.
            ((0..<30).map { $0 < 5 ? 40_000 : 500 + $0 }, .moreDays(3)),
            // Four of five crash, or all: more days change nothing.
            ((0..<270).map { 80_000 + $0 % 7 }, .tooLow), ([Int](repeating: 100_000, count: 40), .tooLow),
        ] as [([Int], LevelSuggestion.Shortage)])
    func absenceOfLevelsIsSaid(crashed: [Int], absence: LevelSuggestion.Shortage) {
        #expect(Self.absence(crashed) == absence)
    }

    @Test func medianHasAnInterval() throws {
        // Ranks 36 and 55 of 90: n/2 ± 1.96 √n / 2 is 35.7 and, one more, 55.3.
        let suggestion = try #require(Self.suggestion((1...90).map { $0 * 10 }))
        #expect(abs(suggestion.median - 0.99545) < 1e-9)
        #expect(abs(suggestion.medianInterval.lower - (1 - 0.0055)) < 1e-9)
        #expect(abs(suggestion.medianInterval.upper - (1 - 0.0036)) < 1e-9)
        #expect(suggestion.oneCrash == 1e-5)
    }
}
