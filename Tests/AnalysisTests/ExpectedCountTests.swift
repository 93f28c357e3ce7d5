import Analysis
import Testing

/// What days could be expected to bring.
struct ExpectedCountTests {
    @Test(
        arguments: [
            ([Double?](repeating: 4, count: 27), 0), ([Double?](repeating: nil, count: 60), 0),
            ([Double?](repeating: 4, count: 30), 2), ([Double?](repeating: 0, count: 40), 12),
        ])
    func expectationNeedsAPast(counts: [Double?], days: Int) {
        #expect(expectedCounts(counts).compactMap(\.self).count == days)
    }

    @Test func expectationHoldsWhatIsUsualAndDoubtsOutliers() throws {
        let calm = (0..<70).map { Double(10 + $0 % 3) }
        let ranges = expectedCounts(calm).compactMap(\.self)
        #expect(
            ranges.allSatisfy { $0.lower < 10 && $0.upper > 12 && $0.upper < 30 && abs($0.mean - 11) < 0.2 })
        var spiked = calm
        spiked[40] = 100_000
        let after = try #require(expectedCounts(spiked).last ?? nil)
        #expect(after.upper < 60)
        // A new level is learned within weeks.
        let risen = calm.prefix(35) + Array(repeating: 100, count: 60)
        let last = try #require(expectedCounts(Array(risen)).last ?? nil)
        #expect(last.upper > 100)
    }
}
