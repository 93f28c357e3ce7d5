import Foundation
import Statistics
import Testing

private typealias Method = @Sendable (_ successes: Int, _ trials: Int, _ confidence: Double) -> Interval?

private let methods: [Method] = [
    { wilsonInterval(successes: $0, of: $1, confidence: $2) },
    { jeffreysInterval(successes: $0, of: $1, confidence: $2) },
    { clopperPearsonInterval(successes: $0, of: $1, confidence: $2) },
]

struct ProportionIntervalTests {
    @Test(.enabled(if: hasReferenceValues)) func agreesWithReferenceValues() throws {
        struct Row: Decodable {
            let x: Int, n: Int, alpha: Double, wilson: [Double?], jeffreys: [Double?],
                clopper_pearson: [Double?]
        }
        let file = try ReferenceValues<Row>("proportion_intervals")
        for row in file.cases {
            for (method, bounds) in zip(methods, [row.wilson, row.jeffreys, row.clopper_pearson]) {
                let interval = try #require(method(row.x, row.n, 1 - row.alpha))
                expectClose(interval.lower, bounds[0] ?? 0, within: file.tol, floor: file.tol, "\(row)")
                expectClose(interval.upper, bounds[1] ?? 1, within: file.tol, floor: file.tol, "\(row)")
            }
        }
    }

    @Test func agreesWithPublishedRows() throws {
        let jeffreys = try #require(jeffreysInterval(successes: 1, of: 10))
        expectClose(jeffreys.lower, 0.011011673763161133, within: 1e-9)
        expectClose(jeffreys.upper, 0.3813147710666164, within: 1e-9)
        let exact = try #require(clopperPearsonInterval(successes: 1, of: 10, confidence: 0.99))
        expectClose(exact.lower, 0.0005011285754646339, within: 1e-9)
        expectClose(exact.upper, 0.5442870568996869, within: 1e-9)
    }

    @Test(arguments: [0, 1, 2]) func holdsTheEstimateAndNarrowsWithMoreData(method: Int) throws {
        for (successes, trials) in [(0, 5), (1, 5), (5, 5), (3, 1000), (999, 1000), (500, 1000)] {
            let one = try #require(methods[method](successes, trials, 0.95))
            let two = try #require(methods[method](2 * successes, 2 * trials, 0.95))
            let sure = try #require(methods[method](successes, trials, 0.99))
            let share = Double(successes) / Double(trials)
            // The Jeffreys interval leaves out the very ends.
            #expect(
                one.contains(
                    min(max(share, one.lower < 0.01 ? one.lower : 0), one.upper > 0.98 ? one.upper : 1)))
            #expect(two.width < one.width && one.width < sure.width)
            #expect(one.lower >= 0 && one.upper <= 1)
        }
    }

    @Test(arguments: [0, 1, 2]) func hasNoneForImpossibleCounts(method: Int) {
        for (successes, trials, confidence) in [
            (0, 0, 0.9), (3, 2, 0.9), (-1, 2, 0.9), (1, -2, 0.9), (1, 2, 1), (1, 2, .nan),
        ] {
            #expect(methods[method](successes, trials, confidence) == nil)
        }
    }

    @Test(arguments: [0, 1, 2]) func answersVastCounts(method: Int) throws {
        let few = try #require(methods[method](3, 1_000_000_000_000, 0.95))
        #expect(few.lower > 0 && few.lower < 3e-12 && few.upper > 3e-12 && few.upper < 1e-11)
        let many = try #require(methods[method](20_000_000_000, 1_000_000_000_000, 0.95))
        expectClose(many.width, 5.4879e-7, within: 1e-3)
    }
}
