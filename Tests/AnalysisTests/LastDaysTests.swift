import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

struct LastDaysTests {
    private func analysis(_ source: SourceHistory) -> AppAnalysis {
        AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
    }

    /// How many days before the last one an issue was seen, from which day on all issues are known, and how many days
    /// before the last one its figures end.
    @Test(arguments: [
        (seen: 62, knownSince: 130, ends: 0), (seen: 63, knownSince: 130, ends: 0),
        (seen: 64, knownSince: 130, ends: 1), (seen: 100, knownSince: 130, ends: 37),
        (seen: 100, knownSince: 62, ends: 0), (seen: 100, knownSince: 70, ends: 8),
        (seen: 100, knownSince: 20, ends: 0),
    ])
    func issueEndsWhenItHasBeenQuiet(seen: Int, knownSince: Int, ends: Int) {
        let source = SourceHistory.make(
            health: (0..<131).map { .make($0) }, issues: [Issue(id: "a", title: "A")],
            issueDays: [.make("a", seen, events: 4)],
            coverage: [CoverageSpan(.issueDays, .back(knownSince) ... .back(0))])
        let facts = analysis(source).issues["a"]
        #expect(facts?.lastDay == .back(ends))
    }

    /// On which days before the last one a release had sessions, and how many days before it its figures end.
    @Test(arguments: [
        (used: 90...120, ends: 62), (used: 28...90, ends: 0), (used: 29...90, ends: 1),
        (used: 0...90, ends: 0),
    ])
    func releaseEndsWhenItHasBeenUnused(used: ClosedRange<Int>, ends: Int) {
        let days = (0..<121).flatMap { back in
            [HealthDay.make(back, sessions: 900, crashed: 2)]
                + (used.contains(back) ? [.make(back, of: "1.0", sessions: 9, crashed: 0)] : [])
                + [.make(back, of: "1.1", sessions: 800, crashed: 2)]
        }
        let releases = ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: nil) }
        let facts = analysis(.make(health: days, releases: releases)).releases["1.0"]
        #expect(facts?.lastDay == .back(ends))
        #expect(facts?.stage?.day == .back(ends))
    }

    @Test func stateOfADayIsTheOneKnownByTheNextDay() {
        var source = SourceHistory.make(
            issues: [Issue(id: "a", title: "A")], issueDays: [.make("a", 0, events: 4)])
        source.issueStates["a"] = [
            IssueStateChange(capturedAt: .noon(back: 5), state: .open),
            IssueStateChange(capturedAt: .noon(back: 1), state: .closed),
        ]
        let facts = analysis(source).issues["a"]
        let states = (0..<9).map { facts?.state(on: .back($0)) }
        #expect(states == [.closed, .closed, .closed, .open, .open, .open, .open, nil, nil])
    }
}
