import Foundation
import Statistics
import Testing

struct ProportionPairTests {
    @Test(.enabled(if: hasReferenceValues)) func agreesWithReferenceValues() throws {
        struct Row: Decodable {
            let x1: Int, n1: Int, x0: Int, n0: Int
            let narrow: [Double], wide: [Double]
            let twoSided: Double, greater: Double, less: Double
            enum CodingKeys: String, CodingKey {
                case x1, n1, x0, n0, narrow = "newcombe_0.05", wide = "newcombe_0.01"
                case twoSided = "fisher_two-sided", greater = "fisher_greater", less = "fisher_less"
            }
        }
        let file = try ReferenceValues<Row>("two_proportions")
        for row in file.cases {
            let pair = try #require(samples(row.x1, row.n1, row.x0, row.n0))
            check(newcombeInterval(of: pair), row.narrow, file.tol, "\(row)")
            check(newcombeInterval(of: pair, confidence: 0.99), row.wide, file.tol, "\(row)")
            let test = FisherTest(pair)
            for (actual, expected) in [
                (test.twoSided, row.twoSided), (test.greater, row.greater), (test.less, row.less),
            ] {
                expectClose(actual, expected, within: file.tol, floor: 1e-300, "\(row)")
            }
        }
    }

    @Test func agreesWithPublishedRows() throws {
        let pair = try #require(samples(12, 1000, 25, 1000))
        check(newcombeInterval(of: pair), [-0.025722077429688486, -0.0010580905403080598], 1e-9)
        expectClose(FisherTest(pair).twoSided, 0.04501807577265148, within: 1e-9)
        expectClose(FisherTest(pair).greater, 0.9905230141020345, within: 1e-9)
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

    /// These bounds come from maximising the likelihood numerically. The column for this method in the reference
    /// file solves another equation: it has successes where the linear term of the cubic has trials.
    @Test(arguments: [
        (1, 100, 5, 100, -0.1032723230887402, 0.01006788480381394),
        (12, 1000, 25, 1000, -0.02586520974433973, -0.0012477222843620675),
        (3, 200, 9, 180, -0.07909681031513267, 0.000295236036428589),
        (0, 50, 4, 60, -0.15980845979904776, 0.007478122478293835),
        (96, 9779, 46, 7268, 0.0007575531927305069, 0.006178406216327354),
        (7, 8, 2, 9, 0.17133762060890453, 0.8815776828746551),
    ]) func scoreIntervalSolvesItsEquation(
        x1: Int, n1: Int, x0: Int, n0: Int, lower: Double, upper: Double
    ) throws {
        let pair = try #require(samples(x1, n1, x0, n0))
        check(miettinenNurminenInterval(of: pair), [lower, upper], 1e-9)
    }

    @Test(arguments: [(1, 10, 3, 12), (0, 9, 0, 7), (5, 5, 0, 5), (40, 1000, 20, 900), (7, 7, 7, 7)])
    func intervalsHoldTheDifferenceAndNarrow(x1: Int, n1: Int, x0: Int, n0: Int) throws {
        let one = try #require(samples(x1, n1, x0, n0))
        let two = try #require(samples(2 * x1, 2 * n1, 2 * x0, 2 * n0))
        for method in [
            { newcombeInterval(of: $0, confidence: $1) },
            { miettinenNurminenInterval(of: $0, confidence: $1) },
        ] as [(ProportionPair, Double) -> Interval?] {
            let interval = try #require(method(one, 0.95))
            #expect(interval.contains(one.difference) && interval.lower >= -1 && interval.upper <= 1)
            #expect(try #require(method(two, 0.95)).width < interval.width)
            #expect(try #require(method(one, 0.99)).width > interval.width)
            #expect(method(one, 1) == nil && method(one, .nan) == nil)
        }
    }

    @Test func fisherTestMirrorsAndBounds() throws {
        let pair = try #require(samples(8, 40, 3, 50))
        let mirror = try #require(samples(3, 50, 8, 40))
        expectClose(FisherTest(pair).greater, FisherTest(mirror).less, within: 1e-12)
        let same = try #require(samples(0, 40, 0, 50))
        #expect(FisherTest(same).twoSided == 1 && FisherTest(same).greater == 1)
        let vast = try #require(samples(1_000_000_000_000, 2_000_000_000_000, 5, 10))
        #expect(FisherTest(vast).twoSided > 0.99)
        let apart = try #require(samples(10_000, 1_000_000_000_000, 12_000, 1_000_000_000_000))
        #expect(FisherTest(apart).less < 1e-30)
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
