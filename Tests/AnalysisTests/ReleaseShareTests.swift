import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// What the issues of a release are of its sessions.
struct ReleaseShareTests {
    /// Sessions of five days of two releases, some of them unknown; issue "a" has ten events a day in each.
    private static func report(_ earlier: [Int?], _ later: [Int?]) -> AppAnalysis {
        let sessions = [(later, "2.0", 0), (earlier, "1.0", 5)]
        let health = sessions.flatMap { counts, version, end in
            counts.indices.map { HealthDay.make(end + 4 - $0, of: version, sessions: counts[$0]) }
        }
        let days = sessions.flatMap { _, version, end in
            (0..<5).map { IssueDay.make("a", end + $0, of: version, events: 10) }
        }
        let source = SourceHistory.make(
            health: health.filter { $0.sessions != nil } + (0..<10).map { .make($0, sessions: 9_000) },
            releases: ["1.0", "2.0"].map {
                Release(version: Version($0), releasedAt: .noon(back: $0 == "1.0" ? 9 : 4))
            },
            issues: [Issue(id: "a", title: "A")], issueDays: days,
            coverage: [
                CoverageSpan(.issueDays, .back(9)...lastDay),
                CoverageSpan(.issueReleases, .back(9)...lastDay),
                CoverageSpan(.releaseHealth, .back(9)...lastDay),
                CoverageSpan(.sessions, .back(9)...lastDay),
            ])
        return AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
    }

    @Test(
        arguments: [
            ([1_000, 1_000, 1_000, 1_000, 1_000], Fraction(50, of: 5_000)),
            // A source of sessions that is behind.
            ([1_000, 1_000, 1_000, nil, nil], Fraction(30, of: 3_000)),
            // A day that was lost.
            ([1_000, 1_000, nil, 1_000, 1_000], Fraction(40, of: 4_000)),
            ([nil, nil, nil, nil, 1_000], Fraction(10, of: 1_000)),
        ] as [([Int?], Fraction?)])
    func eventsAreOfTheDaysWhoseSessionsAreKnown(later: [Int?], share: Fraction?) throws {
        let report = Self.report(Array(repeating: 2_000, count: 5), later)
        let release = try #require(report.releases["2.0"])
        #expect(release.topIssues.map(\.share) == [share])
        #expect(release.topIssues.map(\.events) == [50])
        let pair = try #require(report.releases.pair(endingWith: "2.0"))
        #expect(pair.both.map { $0.later?.share } == [share])
        #expect(pair.both.map { $0.earlier?.share } == [Fraction(50, of: 10_000)])
        // The page of the issue has the same number of the same release.
        let windows = report.issues.all.first?.window.releases
        #expect(windows?.first?.label == "2.0" && windows?.first?.share == share)
    }

    /// The releases that an overview lists, of those with these sessions on the last two days, oldest first.
    @Test(
        arguments: [
            ([("1", 900, 930), ("2", 8_100, 8_900), ("3", 900, 2), ("4", 1, 100)], ["4", "2", "1"]),
            (
                [("1", 4_000, 4_000), ("2", 3_000, 3_000), ("3", 2_000, 2_000), ("4", 0, 1_000)],
                ["4", "2", "1"]
            ),
            // The newest one, however few have it.
            ([("1", 5_000, 5_000), ("2", 4_000, 4_000), ("3", 0, 1)], ["3", "2", "1"]),
            ([("1", 9_000, 9_000), ("2", 5, 5), ("3", 4, 4), ("4", 3, 3)], ["4", "1"]),
        ] as [([(String, Int, Int)], [String])])
    func releasesInUseAreTheNewestAndTheLargest(sessions: [(String, Int, Int)], listed: [String]) {
        let health = sessions.flatMap { label, before, last in
            [HealthDay.make(1, of: label, sessions: before), .make(of: label, sessions: last)]
        }
        let all = (0...1).map { HealthDay.make($0, sessions: 10_000, crashed: 20) }
        let releases = sessions.indices.map {
            Release(version: Version(sessions[$0].0), releasedAt: .noon(back: 20 - $0))
        }
        let source = SourceHistory.make(health: all + health, releases: releases)
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.releases.inUse(atMost: 3).map(\.label) == listed)
    }
}
