import Statistics
import Testing

struct ErrorBudgetTests {
    private func days(_ crashed: [Int?], of total: Int) -> [DayCount?] {
        crashed.map { $0.flatMap { DayCount(total: total, crashed: $0) } }
    }

    /// Crashed of 1000 a day, target, and what is allowed, spent and left.
    @Test(
        arguments: [
            ([10, 10], 0.99, 20, 20, 0), ([5, 5], 0.99, 20, 10, 10), ([15, 15], 0.99, 20, 30, -10),
            ([0, 0], 1, 0, 0, 0),
            ([1, 0], 1, 0, 1, -1), ([10, nil, 10], 0.98, 40, 20, 20),
        ] as [([Int?], Double, Double, Double, Double)])
    func budgetIsWhatTheTargetAllows(
        crashed: [Int?], target: Double, allowed: Double, spent: Double, left: Double
    ) throws {
        let budget = try #require(ErrorBudget(days(crashed, of: 1000), target: target))
        #expect(
            abs(budget.allowed - allowed) < 1e-9 && budget.spent == spent && abs(budget.left - left) < 1e-9)
    }

    /// 1 − target is no exact number: exactly the budget is not more than it.
    @Test(arguments: [(0.9995, 10), (0.999, 20), (0.997, 60), (0.9, 2000), (0.99, 200), (0.95, 1000)])
    func exactlyTheBudgetIsNotOverspent(target: Double, crashed: Int) throws {
        let all = try #require(
            ErrorBudget(days(Array(repeating: crashed, count: 28), of: 20_000), target: target))
        #expect(all.left == 0 && all.forecast != .spent)
        let more = days([crashed + 1] + Array(repeating: crashed, count: 27), of: 20_000)
        #expect(try #require(ErrorBudget(more, target: target)).left < 0)
    }

    @Test func nothingIsNoBudget() {
        #expect(ErrorBudget([], target: 0.99) == nil)
        #expect(ErrorBudget([nil, nil], target: 0.99) == nil)
        #expect(ErrorBudget([DayCount.nothing], target: 0.99) == nil)
        #expect(ErrorBudget([DayCount(total: 5, crashed: 0)], target: 1.5) == nil)
    }

    @Test func quietWindowIsNotSpent() throws {
        let budget = try #require(
            ErrorBudget(days(Array(repeating: 40, count: 28), of: 10_000), target: 0.99))
        #expect(budget.forecast == .notWithin(days: 90))
    }

    @Test func overspentIsReported() throws {
        let budget = try #require(
            ErrorBudget(days(Array(repeating: 140, count: 28), of: 10_000), target: 0.99))
        #expect(budget.forecast == .spent)
    }

    /// 21 quiet days and a week at 3%: left are 2800 − 840 − 2100 < 0; at 1.5% something is left and goes.
    @Test func laterWeekStatesThePace() throws {
        let quiet = Array(repeating: 40, count: 21)
        let bad = try #require(
            ErrorBudget(days(quiet + Array(repeating: 150, count: 7), of: 10_000), target: 0.99))
        #expect(abs(bad.left - 910) < 1e-9)
        guard case .ends(let earliest, let latest?) = bad.forecast else {
            Issue.record("\(bad.forecast)")
            return
        }
        // Each day takes 50 more than it brings and lets 60 saved go: 910 ÷ 110 is a little more than 8 days.
        #expect((1...9).contains(earliest) && (9...14).contains(latest) && earliest <= latest)
    }

    @Test func dispersionWidensTheSpan() throws {
        let crashed = Array(repeating: 40, count: 21) + Array(repeating: 150, count: 7)
        func span(_ dispersion: Double) throws -> Int {
            let budget = try #require(
                ErrorBudget(days(crashed, of: 10_000), target: 0.99, dispersion: dispersion))
            guard case .ends(let earliest, let latest) = budget.forecast else { return 0 }
            return (latest ?? 90) - earliest
        }
        #expect(try span(9) > span(1))
    }

    @Test func withoutLateFiguresThereIsNoPace() throws {
        let budget = try #require(
            ErrorBudget(days([1, 1] + Array(repeating: nil, count: 7), of: 1000), target: 0.9))
        #expect(budget.forecast == .unknown)
    }

    @Test func countIntervalSolvesTheScoreEquation() throws {
        for (count, dispersion) in [(0.0, 1.0), (5, 1), (100, 3), (1e9, 20)] {
            let interval = try #require(countInterval(of: count, dispersion: dispersion))
            for bound in [interval.lower, interval.upper] where bound > 0 {
                let gap = (count - bound) * (count - bound)
                #expect(abs(gap / (1.959963984540054 * 1.959963984540054 * dispersion * bound) - 1) < 1e-6)
            }
            #expect(interval.contains(count) && interval.lower >= 0)
        }
        #expect(countInterval(of: -1) == nil && countInterval(of: 1, dispersion: 0) == nil)
    }

    @Test func dispersionSeesNoiseButNotOneStep() {
        let even = days(Array(repeating: 100, count: 56), of: 10_000)
        #expect(dayDispersion(even) == 1)
        let step = days(Array(repeating: 100, count: 28) + Array(repeating: 200, count: 28), of: 10_000)
        let noisy = days((0..<56).map { $0 % 2 == 0 ? 50 : 150 }, of: 10_000)
        #expect(dayDispersion(step) < 1.5 && dayDispersion(noisy) > 20)
        #expect(dayDispersion([]) == 1 && dayDispersion([nil, DayCount.nothing]) == 1)
    }
}
