import Foundation
import Statistics
import Testing

struct ProportionPairTests {
    @Test(.enabled(if: hasReferenceValues)) func agreesWithReferenceValues() throws {
        struct Row: Decodable {
            let x1: Int, n1: Int, x0: Int, n0: Int
            let narrow: [Double], wide: [Double]
            enum CodingKeys: String, CodingKey {
                case x1, n1, x0, n0, narrow = "newcombe_0.05", wide = "newcombe_0.01"
            }
        }
        let file = try ReferenceValues<Row>("two_proportions")
        for row in file.cases {
            let pair = try #require(samples(row.x1, row.n1, row.x0, row.n0))
            check(newcombeInterval(of: pair), row.narrow, file.tol, "\(row)")
            check(newcombeInterval(of: pair, confidence: 0.99), row.wide, file.tol, "\(row)")
        }
    }

    @Test func agreesWithPublishedRows() throws {
        let pair = try #require(samples(12, 1000, 25, 1000))
        check(newcombeInterval(of: pair), [-0.025722077429688486, -0.0010580905403080598], 1e-9)
    }

    /// Errors of the wholes widen on both sides, more the larger they are, and never past ±1; none changes no bit.
    @Test(arguments: [(12, 1000, 25, 1000), (0, 9, 0, 7), (5, 5, 0, 5), (96, 9779, 46, 7268)])
    func anErrorOfAWholeWidensTheDifference(x1: Int, n1: Int, x0: Int, n0: Int) throws {
        let pair = try #require(samples(x1, n1, x0, n0))
        var last = try #require(newcombeInterval(of: pair))
        #expect(newcombeInterval(of: pair, errors: (0, 0)) == last)
        for errors in [(0.001, 0), (0.001, 0.002), (0.01, 0.02), (0.5, 0.5)] {
            let wide = try #require(newcombeInterval(of: pair, errors: errors))
            #expect(wide.lower <= last.lower && wide.upper >= last.upper && wide.width > last.width)
            #expect(wide.lower >= -1 && wide.upper <= 1)
            last = wide
        }
    }

    @Test(arguments: [(1, 10, 3, 12), (0, 9, 0, 7), (5, 5, 0, 5), (40, 1000, 20, 900), (7, 7, 7, 7)])
    func intervalsHoldTheDifferenceAndNarrow(x1: Int, n1: Int, x0: Int, n0: Int) throws {
        let one = try #require(samples(x1, n1, x0, n0))
        let two = try #require(samples(2 * x1, 2 * n1, 2 * x0, 2 * n0))
        let interval = try #require(newcombeInterval(of: one))
        #expect(interval.contains(one.difference) && interval.lower >= -1 && interval.upper <= 1)
        #expect(try #require(newcombeInterval(of: two)).width < interval.width)
        #expect(try #require(newcombeInterval(of: one, confidence: 0.99)).width > interval.width)
        #expect(newcombeInterval(of: one, confidence: 1) == nil)
        #expect(newcombeInterval(of: one, confidence: .nan) == nil)
    }

    @Test func impossiblePairsAreRefused() {
        #expect(samples(0, 0, 1, 2) == nil)
        #expect(samples(1, 2, 0, 0) == nil)
        #expect(samples(3, 2, 1, 2) == nil)
        #expect(samples(-1, 2, 1, 2) == nil)
        #expect(samples(1, .max, 1, 2) == nil)
    }

    private func samples(_ x1: Int, _ n1: Int, _ x0: Int, _ n0: Int) -> ProportionPair? {
        ProportionPair(later: (x1, n1), earlier: (x0, n0))
    }

    private func check(
        _ interval: Interval?, _ bounds: [Double], _ tolerance: Double, _ comment: Comment = ""
    ) {
        expectClose(interval?.lower, bounds[0], within: tolerance, floor: tolerance, comment)
        expectClose(interval?.upper, bounds[1], within: tolerance, floor: tolerance, comment)
    }
}
