import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// Days on which it is not decided whether an open usage anomaly goes on.
struct UndecidedUseTests {
    /// For how many days use is low, up to the last one, whether that is known of the last one, and whether the last day is
    /// quiet.
    @Test(arguments: [(0, true, true), (5, true, false), (5, false, false)])
    func aDayOfWhichADropIsNotDecidedIsNotQuiet(low: Int, isKnown: Bool, isQuiet: Bool) {
        func users(_ back: Int) -> Int { (8_000 + back * 37 % 11 * 20) / (back < low ? 10 : 1) }
        let days = (0..<90).reversed()
        let source = SourceHistory.make(
            health: days.map { .make($0, sessions: 10_000, crashed: 20 + $0 % 3) },
            usage: days.filter { isKnown || $0 > 0 }.map { UsageDay(date: .back($0), activeUsers: users($0)) }
        )
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let anomalies = report.activity.events.filter { $0.kind == .usage }
        #expect(anomalies.map(\.back) == (low == 0 ? [] : [low - 1]))
        let day = report.day(lastDay)
        #expect((day.quiet != nil) == isQuiet)
        #expect(day.lasting.map(\.since) == (isQuiet ? [] : [.back(low - 1)]))
    }
}
