import Statistics
import Testing

struct RateChangeTests {
    /// Total and crashed, before and after.
    typealias Part = (before: (Int, Int), after: (Int, Int))

    private func parts(_ rows: [Part]) throws -> [RatePart] {
        try rows.map { row in
            RatePart(
                before: try #require(DayCount(total: row.before.0, crashed: row.before.1)),
                after: try #require(DayCount(total: row.after.0, crashed: row.after.1)))
        }
    }

    /// Parts, and shift and within of the first in percentage points.
    @Test(
        arguments: [
            // Only the rate of one changed.
            ([((50, 0), (50, 5)), ((50, 0), (50, 0))], 0, 5),
            // Only the shares changed: from 10% to 90% of a release that crashes ten points more.
            ([((10, 1), (90, 9)), ((90, 0), (10, 0))], 8, 0),
            // A release that only lost its share explains nothing, however many others took it.
            ([((90, 0), (10, 0)), ((10, 1), (90, 9))], 0, 0),
            ([((90, 0), (10, 0)), ((10, 1), (50, 5)), ((0, 0), (40, 8))], 0, 0),
            // It is held against those that lost theirs, by what they lost.
            ([((0, 0), (40, 8)), ((30, 0), (0, 0)), ((70, 7), (60, 6))], 7, 0),
            // A release that was not there before contributes shift only.
            ([((0, 0), (50, 10)), ((100, 0), (50, 0))], 10, 0),
            ([((0, 0), (100, 10)), ((100, 0), (0, 0))], 10, 0),
            // What is left of a release counts for no more than it is: 12 of 900 sessions are no half of the drop.
            ([((20_000, 60), (900, 12)), ((10_000, 120), (29_100, 349))], 0, 0.031),
            // Nor does the rate of the few sessions that a release had at first.
            ([((100, 25), (9_700, 194)), ((9_900, 99), (300, 1))], 0.96, -0.23),
            // One release alone.
            ([((10, 1), (20, 6))], 0, 20), ([((10, 1), (20, 2))], 0, 0),
        ] as [([Part], Double, Double)])
    func firstPartContributes(rows: [Part], shift: Double, within: Double) throws {
        let change = try #require(RateChange(try parts(rows)))
        #expect(abs(change.contributions[0].shift * 100 - shift) < 1e-9)
        #expect(abs(change.contributions[0].within * 100 - within) < 1e-9)
    }

    @Test(arguments: 0..<200)
    func contributionsAddUpWhateverTheirOrder(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let rows = (0..<Int.random(in: 1...12, using: &random)).map { _ -> Part in
            let before = Int.random(in: 0...10_000, using: &random) * Int.random(in: 0...1, using: &random)
            let after = Int.random(in: 0...10_000, using: &random)
            return (
                (before, Int.random(in: 0...before, using: &random)),
                (after, Int.random(in: 0...after, using: &random))
            )
        }
        guard let change = RateChange(try parts(rows)) else { return }
        let sum = change.contributions.reduce(0) { $0 + $1.total }
        #expect(abs(sum - change.difference) < 1e-12)
        let order = rows.indices.shuffled(using: &random)
        let shuffled = try #require(RateChange(try parts(order.map { rows[$0] })))
        #expect(abs(shuffled.difference - change.difference) < 1e-12)
        for (place, from) in order.enumerated() {
            #expect(abs(shuffled.contributions[place].shift - change.contributions[from].shift) < 1e-12)
            #expect(abs(shuffled.contributions[place].within - change.contributions[from].within) < 1e-12)
        }
        let shown = roundedParts(
            change.contributions.flatMap { [$0.shift * 100, $0.within * 100] }, decimals: 2)
        #expect((shown.reduce(0, +) * 100).rounded() == (change.difference * 10_000).rounded())
    }

    @Test func emptyWindowsCannotBeCompared() throws {
        #expect(RateChange([]) == nil)
        #expect(RateChange(try parts([((0, 0), (5, 1))])) == nil)
        #expect(RateChange(try parts([((5, 1), (0, 0))])) == nil)
    }

    @Test(
        arguments: [
            ([0.333, 0.333, 0.334], 2, [0.33, 0.33, 0.34]), ([0.335, 0.335, 0.33], 2, [0.34, 0.33, 0.33]),
            ([1.0 / 3, 1.0 / 3, 1.0 / 3], 1, [0.4, 0.3, 0.3]), ([], 2, []), ([0.5], 0, [1]),
            ([0.551, 0.072, -0.003], 2, [0.55, 0.07, 0]), ([-0.25, 0.75], 0, [0, 1]),
            ([-0.4, -0.4, -0.4], 0, [0, 0, -1]),
            ([.nan, 1], 0, [0, 1]),
        ] as [([Double], Int, [Double])])
    func roundedPartsKeepTheirSum(values: [Double], decimals: Int, expected: [Double]) {
        let found = roundedParts(values, decimals: decimals)
        #expect(
            zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 } && found.count == expected.count,
            "\(found)")
    }

    @Test(
        arguments: [
            ([0.431, 0.393, -0.041], 0.78, [0.43, 0.39, -0.04]),
            ([0.431, 0.393, -0.041], 0.79, [0.43, 0.4, -0.04]),
            ([1, 2], 2.98, [0.99, 1.99]), ([1, 2], 2.99, [1, 1.99]), ([0.5], 0.75, [0.75]), ([], 1, []),
        ] as [([Double], Double, [Double])])
    func roundedPartsAddUpToATotal(values: [Double], total: Double, expected: [Double]) {
        let found = roundedParts(values, decimals: 2, total: total)
        #expect(
            zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 } && found.count == expected.count,
            "\(found)")
    }
}

struct RoundedPercentTests {
    @Test(
        arguments: [
            (989_076, 1_000_000, 2, 98.91), (1, 1_000_000, 2, 0.01), (999_999, 1_000_000, 2, 99.99),
            (0, 9, 2, 0), (9, 9, 2, 100), (1, 3, 4, 33.3333), (1, 0, 2, 0), (.max, .max, 4, 100),
        ] as [(Int, Int, Int, Double)])
    func nothingButNoneAndAllIsShownAsThese(part: Int, whole: Int, decimals: Int, shown: Double) {
        #expect(roundedPercent(part, of: whole, decimals: decimals) == shown)
    }
}

/// Numbers that are the same on every run.
struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
