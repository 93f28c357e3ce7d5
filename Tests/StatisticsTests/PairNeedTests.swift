import Statistics
import Testing

struct PairNeedTests {
    /// Half the width of the interval after the sample has grown at its rate.
    private func half(_ later: (Int, Int), _ earlier: (Int, Int)) throws -> Double {
        let pair = try #require(ProportionPair(later: later, earlier: earlier))
        return try #require(newcombeInterval(of: pair)).width / 2
    }

    @Test(arguments: [
        ((990, 1000), (49_900, 50_000)), ((99_000, 100_000), (495, 500)), ((0, 10), (0, 100_000)),
        ((50, 100), (90_000, 100_000)), ((9_900, 10_000), (1, 1)),
    ])
    func theGrownSampleIsJustLargeEnough(later: (Int, Int), earlier: (Int, Int)) throws {
        let pair = try #require(ProportionPair(later: later, earlier: earlier))
        #expect(try half(later, earlier) > 0.005)
        let need = try #require(pair.need())
        func grown(_ sample: (Int, Int), by count: Int) -> (Int, Int) {
            let whole = Double(sample.1 + count)
            return (Int((whole * Double(sample.0) / Double(sample.1)).rounded()), sample.1 + count)
        }
        switch need {
        case .later(let count):
            #expect(later.1 <= earlier.1)
            #expect(abs(try half(grown(later, by: count), earlier) - 0.005) < 0.0001)
        case .earlier(let count):
            #expect(earlier.1 < later.1)
            #expect(abs(try half(later, grown(earlier, by: count)) - 0.005) < 0.0001)
        case .both: Issue.record("one sample is enough")
        }
    }

    @Test(
        arguments: [
            // Sure enough already.
            ((99_000, 100_000), (99_000, 100_000), nil), ((1_000_000, 1_000_000), (999, 1_000_000), nil),
            // The larger of two small samples is not enough with any other.
            ((9, 10), (18, 20), .both), ((0, 1), (1, 1), .both),
            ((.max / 2, .max / 2), (0, .max / 2), nil),
        ] as [((Int, Int), (Int, Int), PairNeed?)])
    func whatIsMissing(later: (Int, Int), earlier: (Int, Int), need: PairNeed?) {
        #expect(ProportionPair(later: later, earlier: earlier)?.need() == need)
    }

    /// What is missing is in the counts as they are shown; no app has 10^15 of them.
    @Test(arguments: [(1, true), (1e9, true), (1e13, false), (1e300, false)] as [(Double, Bool)])
    func aSampleOfAlmostNothingIsNeverEnough(factor: Double, isEnough: Bool) throws {
        let trials = 1000 * max(1, Int(min(factor, 1e12)))
        let pair = try #require(
            ProportionPair(later: (trials / 100 * 99, trials), earlier: (49_900_000, 50_000_000)))
        let need = try #require(pair.need(sampling: (factor, 1)))
        #expect((need != .both) == isEnough)
    }

    @Test func aWidthOfNoneNeedsNothing() {
        #expect(ProportionPair(later: (1, 2), earlier: (1, 2))?.need(halfWidth: 0) == nil)
    }
}
