import Statistics
import Testing

struct ReleaseDayCountsTests {
    @Test(arguments: [(1, 2, 3, 0), (1, 0, 3, 4), (1, -1, 3, 0), (-1, -1, 3, 0)])
    func impossibleCountsAreRefused(n1: Int, x1: Int, n0: Int, x0: Int) {
        #expect(
            ReleaseDayCounts(newSessions: n1, newCrashed: x1, oldSessions: n0, oldCrashed: x0) == nil)
    }
}
