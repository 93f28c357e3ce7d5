import Foundation
import Statistics
import Testing

struct ProportionIntervalTests {
    @Test(.enabled(if: hasReferenceValues)) func agreesWithReferenceValues() throws {
        struct Row: Decodable { let x: Int, n: Int, alpha: Double, wilson: [Double?] }
        let file = try ReferenceValues<Row>("proportion_intervals")
        for row in file.cases {
            let interval = try #require(
                wilsonInterval(successes: row.x, of: row.n, confidence: 1 - row.alpha))
            expectClose(interval.lower, row.wilson[0] ?? 0, within: file.tol, floor: file.tol, "\(row)")
            expectClose(interval.upper, row.wilson[1] ?? 1, within: file.tol, floor: file.tol, "\(row)")
        }
    }

    @Test func holdsTheEstimateAndNarrowsWithMoreData() throws {
        for (successes, trials) in [(0, 5), (1, 5), (5, 5), (3, 1000), (999, 1000), (500, 1000)] {
            let one = try #require(wilsonInterval(successes: successes, of: trials))
            let two = try #require(wilsonInterval(successes: 2 * successes, of: 2 * trials))
            let sure = try #require(wilsonInterval(successes: successes, of: trials, confidence: 0.99))
            #expect(one.contains(Double(successes) / Double(trials)))
            #expect(two.width < one.width && one.width < sure.width)
            #expect(one.lower >= 0 && one.upper <= 1)
        }
    }

    @Test(
        arguments: [
            (0, 0, 0.9), (3, 2, 0.9), (-1, 2, 0.9), (1, -2, 0.9), (1, 2, 1), (1, 2, .nan),
        ] as [(Int, Int, Double)])
    func hasNoneForImpossibleCounts(successes: Int, trials: Int, confidence: Double) {
        #expect(wilsonInterval(successes: successes, of: trials, confidence: confidence) == nil)
    }

    @Test func answersVastCounts() throws {
        let few = try #require(wilsonInterval(successes: 3, of: 1_000_000_000_000))
        #expect(few.lower > 0 && few.lower < 3e-12 && few.upper > 3e-12 && few.upper < 1e-11)
        let many = try #require(wilsonInterval(successes: 20_000_000_000, of: 1_000_000_000_000))
        expectClose(many.width, 5.4879e-7, within: 1e-3)
    }
}
