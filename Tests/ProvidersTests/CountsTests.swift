import Testing

@testable import Providers

struct CountsTests {
    @Test(
        arguments: [
            ([], 0), ([1, 2, 3], 6), ([1, nil], nil), ([nil], nil), ([.max, 0], .max), ([.max, 1], nil),
            ([.max, 1, nil], nil), ([-1, 1], 0),
        ] as [([Int?], Int?)])
    func sumIsUnknownWhereACountIsOrWhereItDoesNotFit(counts: [Int?], sum: Int?) {
        #expect(checkedSum(counts) == sum)
    }

    @Test(arguments: [(1, 2, 3), (.max, 1, .max), (.max, .max, .max), (0, 0, 0)] as [(Int, Int, Int)])
    func cappedSumEndsAtTheLargestNumber(first: Int, second: Int, sum: Int) {
        #expect(first.addingCapped(second) == sum)
    }
}
