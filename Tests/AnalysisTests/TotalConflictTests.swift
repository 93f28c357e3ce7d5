import Testing

@testable import Analysis

/// Whether parts fit into their total.
struct TotalConflictTests {
    @Test(arguments: [(100, 0, true), (101, 0, false), (105, 0.05, true), (106, 0.05, false)])
    func releasesFitIntoTheTotal(sum: Int, tolerance: Double, isRight: Bool) {
        let found = conflict(sessions: 100, ofReleases: Double(sum), tolerance: tolerance)
        #expect((found == nil) == isRight)
    }

    @Test func noConflictWithoutATotalOrParts() {
        #expect(conflict(sessions: nil, ofReleases: 60, tolerance: 0) == nil)
        #expect(conflict(sessions: 0, ofReleases: nil, tolerance: 0) == nil)
    }

    @Test func largeCountsDoNotOverflow() {
        #expect(
            conflict(sessions: 1, ofReleases: 2 * Double(Int.max), tolerance: 0)
                == .sessionsOfReleases(1_000_000_000_000_000_000, all: 1))
    }
}
