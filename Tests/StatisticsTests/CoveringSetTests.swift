import Statistics
import Testing

struct CoveringSetTests {
    @Test(
        arguments: [
            ([50, 30, 20], 100, 0.8, [0, 1], true), ([50, 30, 20], 100, 0.81, [0, 1, 2], true),
            ([20, 30, 50], 100, 0.8, [2, 1], true), ([10, 10, 10], 30, 0.5, [0, 1], true),
            ([10, 0, 0], 100, 0.8, [0], false), ([0, 0], 5, 0.8, [], false), ([], 5, 0.8, [], false),
            ([8, 2], 10, 0.8, [0], true), ([1, 1, 1, 1, 1], 5, 1, [0, 1, 2, 3, 4], true),
            ([7], 9, 0, [], true),
            ([.max], .max, 0.8, [0], true),
        ] as [([Int], Int, Double, [Int], Bool)])
    func largestCountsAreChosen(counts: [Int], total: Int, share: Double, chosen: [Int], isReached: Bool)
        throws
    {
        let set = try #require(CoveringSet(of: counts, total: total, share: share))
        #expect(set.chosen == chosen && set.isReached == isReached)
        #expect(set.sum == chosen.reduce(0) { $0 + counts[$1] })
    }

    @Test(
        arguments: [([1], 0, 0.8), ([-1], 5, 0.8), ([1], 5, 1.1), ([1], 5, -0.1), ([.max, .max], .max, 1)]
            as [([Int], Int, Double)])
    func impossibleWishesHaveNoAnswer(counts: [Int], total: Int, share: Double) {
        let set = CoveringSet(of: counts, total: total, share: share)
        #expect(set == nil || set?.chosen.count == 1)
    }

    @Test(arguments: 0..<150)
    func noSmallerChoiceCoversAsMuch(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let counts = (0..<Int.random(in: 1...9, using: &random)).map { _ in
            Int.random(in: 0...12, using: &random)
        }
        let total = max(1, counts.reduce(0, +) + Int.random(in: 0...3, using: &random))
        let set = try #require(CoveringSet(of: counts, total: total, share: 0.8))
        let enough = (0..<(1 << counts.count)).filter { choice in
            let sum = counts.indices.filter { choice >> $0 & 1 == 1 }.reduce(0) { $0 + counts[$1] }
            return sum * 10 >= total * 8
        }.map(\.nonzeroBitCount).min()
        #expect(set.isReached == (enough != nil))
        if let enough { #expect(set.chosen.count == enough) }
    }

    @Test(
        arguments: [
            ([5], 10, 5...5), ([5, 3], 10, 5...8), ([5, 3], 6, 5...6), ([5, 5, 5], 7, 5...7),
            ([0, 0], 0, 0...0),
            ([11], 10, nil), ([], 10, nil), ([-1], 10, nil), ([.max, .max], .max, Int.max...Int.max),
        ] as [([Int], Int, ClosedRange<Int>?)])
    func unionLiesBetweenTheLargestAndTheSum(sizes: [Int], all: Int, bounds: ClosedRange<Int>?) {
        #expect(unionBounds(of: sizes, all: all) == bounds)
    }

    @Test(arguments: 0..<150)
    func everyUnionLiesWithinTheBounds(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let all = Int.random(in: 1...12, using: &random)
        let groups = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Set((0..<all).filter { _ in Bool.random(using: &random) })
        }
        let union = groups.reduce(Set<Int>()) { $0.union($1) }.count
        #expect(try #require(unionBounds(of: groups.map(\.count), all: all)).contains(union))
    }
}
