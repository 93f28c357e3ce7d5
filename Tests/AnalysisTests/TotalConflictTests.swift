import AppHealth
import HistoryFixtures
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

    /// A session with rows of two releases is in both: their sum is no part of all sessions, and each of them is.
    @Test(
        arguments: [
            (false, 60, [.sessionsOfReleases(110, all: 100)]), (true, 60, []),
            (true, 101, [.sessionsOfRelease("1.1", 101, all: 100)]),
        ] as [(Bool, Int, [TotalConflict])])
    func sessionsMayBeInTwoReleases(isApart: Bool, newer: Int, expected: [TotalConflict]) {
        var source = SourceHistory.make(
            health: (0..<20).flatMap {
                [
                    HealthDay.make($0, sessions: 100, crashed: 1),
                    .make($0, of: "1.0", sessions: 50, crashed: 1),
                    .make($0, of: "1.1", sessions: newer, crashed: 0),
                ]
            }, releases: ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: nil) })
        source.source.countsPartsApart = isApart
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.totalConflicts(on: lastDay) == expected)
    }

    /// Users of an issue are part of all users where both are of the same rows, and all of these name a user.
    @Test(arguments: [(false, nil, 1), (true, nil, 0), (false, 0.02, 0)] as [(Bool, Double?, Int)])
    func usersOfIssuesAreOfTheSameRows(isApart: Bool, named: Double?, conflicts: Int) {
        var day = HealthDay.make(sessions: 3, crashed: 0, users: 3, crashedUsers: 0)
        day.namedShare = named
        var source = SourceHistory.make(
            health: [day], issues: [Issue(id: "a", title: "A")],
            issueDays: [.make("a", events: 12, users: 12)])
        source.source.countsPartsApart = isApart
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.totalConflicts(on: lastDay).count == conflicts)
    }

    @Test func largeCountsDoNotOverflow() {
        #expect(
            conflict(sessions: 1, ofReleases: 2 * Double(Int.max), tolerance: 0)
                == .sessionsOfReleases(1_000_000_000_000_000_000, all: 1))
    }
}
