import Testing

@testable import Statistics

/// What every interval must do, whatever it is made from: hold its estimate, widen with less data, narrow when
/// all counts are doubled.
struct IntervalPropertyTests {
    /// A family of intervals: the estimate and the interval of counts, all of them times a factor.
    struct Family: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (_ counts: Counts, _ factor: Int, _ confidence: Double) -> (Double, Interval)?
    }

    /// Two samples; families of one sample take the first.
    struct Counts: Sendable {
        let (x1, n1, x0, n0): (Int, Int, Int, Int)

        init(seed: UInt64) {
            var random = TestRandom(seed: seed)
            let sizes = [3, 20, 300, 5000, 100_000, 10_000_000]
            n1 = Int.random(in: 1...(sizes.randomElement(using: &random) ?? 1), using: &random)
            n0 = Int.random(in: 1...(sizes.randomElement(using: &random) ?? 1), using: &random)
            x1 =
                Int.random(in: 0...n1, using: &random)
                / [1, 1, 20, 400][Int.random(in: 0...3, using: &random)]
            x0 =
                Int.random(in: 0...n0, using: &random)
                / [1, 1, 20, 400][Int.random(in: 0...3, using: &random)]
        }
    }

    private static func rate(
        _ name: String, _ interval: @escaping @Sendable (Int, Int, Double) -> Interval?
    ) -> Family {
        Family(testDescription: name) { counts, factor, confidence in
            interval(counts.x1 * factor, counts.n1 * factor, confidence).map {
                (Double(counts.x1) / Double(counts.n1), $0)
            }
        }
    }

    private static func difference(
        _ name: String, _ interval: @escaping @Sendable (ProportionPair, Double) -> Interval?
    ) -> Family {
        Family(testDescription: name) { counts, factor, confidence in
            let pair = ProportionPair(
                later: (counts.x1 * factor, counts.n1 * factor),
                earlier: (counts.x0 * factor, counts.n0 * factor))
            return pair.flatMap { pair in interval(pair, confidence).map { (pair.difference, $0) } }
        }
    }

    static let families = [
        rate("Wilson") { wilsonInterval(successes: $0, of: $1, confidence: $2) },
        rate("anytime") { AlwaysValidInterval(events: $0, of: $1, confidence: $2)?.bounds },
        rate("anytime, dispersed") {
            AlwaysValidInterval(events: $0, of: $1, dispersion: 3, confidence: $2)?.bounds
        },
        // Of a count for each of its trials, as the bound of a count grows with it.
        rate("count") { x, n, confidence in
            countInterval(of: Double(x), dispersion: 2, confidence: confidence).map {
                Interval(lower: $0.lower / Double(n), upper: $0.upper / Double(n))
            }
        },
        difference("Newcombe") { newcombeInterval(of: $0, confidence: $1) },
    ]

    @Test(arguments: families, Array(0..<60))
    func holdsTheEstimateAndNarrowsWithData(family: Family, seed: UInt64) throws {
        let counts = Counts(seed: seed)
        let (estimate, interval) = try #require(family.make(counts, 1, 0.95), "\(counts)")
        let slack = 1e-12
        #expect(interval.lower <= estimate + slack && estimate <= interval.upper + slack, "\(counts)")
        var width = interval.width
        for factor in [2, 4, 32] {
            let (_, narrower) = try #require(family.make(counts, factor, 0.95))
            #expect(narrower.width < width, "\(counts) × \(factor)")
            width = narrower.width
        }
        let (_, surer) = try #require(family.make(counts, 1, 0.99))
        #expect(surer.lower <= interval.lower + slack && interval.upper <= surer.upper + slack, "\(counts)")
        #expect(surer.width > interval.width, "\(counts)")
    }

    /// The rise of a drop that was found, and the days that use was expected on.
    @Test(arguments: Array(1...8))
    func findingsNarrowWhenAllCountsAreDoubled(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let crashed = (0..<120).map { day in
            Int.random(in: 40...60, using: &random) + (day == 110 ? 150 : 0)
        }
        let use = (0..<120).map { day in
            Int.random(in: 9_500...10_500, using: &random) / (day == 110 ? 2 : 1)
        }
        func drop(_ factor: Int) throws -> DropFinding {
            let series = crashed.map { DayCount(total: 10_000 * factor, crashed: $0 * factor) }
            return try #require(CrashRateDropDetector().findings(in: series).first { $0.day == 110 })
        }
        func shift(_ factor: Int) throws -> UsageFinding {
            try #require(UsageAnomalyDetector().findings(in: use.map { $0 * factor }).first { $0.day == 110 })
        }
        let (one, two) = (try drop(1), try drop(2))
        let (rise, narrower) = (try #require(one.rise), try #require(two.rise))
        #expect(rise.contains(one.size) && narrower.contains(two.size) && narrower.width < rise.width)
        let (few, many) = (try shift(1), try shift(2))
        #expect(few.range.contains(few.expected) && many.range.contains(many.expected))
        #expect(many.range.width / many.expected < few.range.width / few.expected)
    }
}
