import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

struct LastDaysTests {
    private func analysis(_ source: SourceHistory) -> AppAnalysis {
        AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
    }

    /// How many days before the last one an issue was seen, from which day on all issues are known, and how many days
    /// before the last one its page ends. The last two days are provisional.
    @Test(arguments: [
        (seen: 0, knownSince: 130, ends: 0), (seen: 1, knownSince: 130, ends: 1),
        (seen: 4, knownSince: 130, ends: 4), (seen: 5, knownSince: 130, ends: 2),
        (seen: 8, knownSince: 130, ends: 5), (seen: 9, knownSince: 130, ends: 2),
        (seen: 62, knownSince: 130, ends: 6), (seen: 65, knownSince: 130, ends: 2),
        (seen: 100, knownSince: 130, ends: 37), (seen: 100, knownSince: 62, ends: 7),
        (seen: 100, knownSince: 70, ends: 8), (seen: 100, knownSince: 20, ends: 7),
        (seen: 100, knownSince: 3, ends: 100),
    ])
    func pageOfAnIssueEndsWithItsDays(seen: Int, knownSince: Int, ends: Int) {
        let source = SourceHistory.make(
            health: (0..<131).map { .make($0) }, issues: [Issue(id: "a", title: "A")],
            issueDays: [.make("a", seen, events: 1)],
            coverage: [CoverageSpan(.issueDays, .back(knownSince) ... .back(0))])
        let facts = analysis(source).issues["a"]
        #expect(facts?.onPage.window.lastDay == .back(ends))
        #expect(facts?.window.lastDay == .back(0))
    }

    /// How many days before the last one the source of a list that was cut off saw an issue that it counted ten days
    /// before it, and how many days before the last one its page ends.
    @Test(arguments: [(seen: 0, ends: 0), (seen: 4, ends: 4), (seen: 10, ends: 10), (seen: 30, ends: 10)])
    func pageGoesOnToTheDayOnWhichTheSourceSawTheIssue(seen: Int, ends: Int) {
        let source = SourceHistory.make(
            health: (0..<31).map { .make($0) },
            issues: [Issue(id: "a", title: "A", lastSeen: .noon(back: seen))],
            issueDays: [.make("a", 10, events: 1)],
            coverage: [CoverageSpan(.issueDays, .back(30) ... .back(0), .partial(counted: 30, of: nil))])
        #expect(analysis(source).issues["a"]?.onPage.window.lastDay == .back(ends))
    }

    /// How many days before the last one an issue was seen, and whether anything else is known of each day: its page is as
    /// new as the last day that it shows, whose zero nothing older can say, and stays so on the nights that follow.
    @Test(arguments: [(seen: 0, others: true), (5, true), (12, true), (12, false), (40, true), (90, false)])
    func captureOfAPageIsThatOfItsLastDay(seen: Int, others: Bool) throws {
        func morning(after back: Int) -> Instant {
            Instant(startOf: .back(back - 1)).advanced(bySeconds: 18_000)
        }
        func facts(night: Int) throws -> IssueFacts {
            var source = SourceHistory.make(
                capturedAt: morning(after: night),
                health: (night..<131).map { .make($0, sessions: 900, crashed: 2) },
                issues: [Issue(id: "a", title: "A")], issueDays: [.make("a", seen, events: 9)],
                coverage: [CoverageSpan(.issueDays, .back(130) ... .back(night))])
            source.captures = FactCaptures()
            for back in night..<131 {
                if others || back == seen { source.captures.add(morning(after: back), day: .back(back)) }
                source.captures.add(morning(after: back), days: .back(back) ... .back(back))
            }
            source.captures.add(morning(after: seen), issue: "a")
            let report = AppAnalysis(
                .make(source), targets: .standard, asOf: morning(after: night).advanced(bySeconds: 60))
            return try #require(report.issues["a"]).onPage
        }
        let page = try facts(night: 0)
        #expect(page.capturedAt == morning(after: page.window.lastDay.days(to: lastDay)))
        let before = try facts(night: min(seen, 1))
        if before.window.lastDay == page.window.lastDay { #expect(before.capturedAt == page.capturedAt) }
    }

    /// The issues of a day are marked on its own night as they are on all later ones; an overview says what they do now.
    @Test func marksOfADayStay() throws {
        let rows = (0..<60).flatMap { back -> [IssueDay] in
            [.make("a", back, events: back < 7 ? 60 : 20), .make("b", back, events: 30)]
        }
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 10_000, crashed: 20) },
            issues: [Issue(id: "a", title: "A"), Issue(id: "b", title: "B", firstSeen: .noon(back: 3))],
            issueDays: rows)
        let mutes = [Mute.make(0, .init(issue: "b"))]
        let nights = [1, 0].map { night in
            AppAnalysis(
                .make(source), targets: .standard,
                asOf: Instant(startOf: .back(night - 1)).advanced(bySeconds: 18_000),
                control: AlertControl(mutes: mutes))
        }
        let day = CivilDate.back(1)
        let listed = nights.map {
            $0.issues.list(of: $0.day(day), lastDay: $0.facts.lastDay).top.map(\.signals)
        }
        #expect(nights.map(\.facts.lastDay) == [day, lastDay])
        #expect(listed[0] == listed[1] && listed[0].count == 2)
        #expect(!listed[0].joined().contains(.rising) && !listed[0].joined().contains(.muted))
        let now = Dictionary(
            uniqueKeysWithValues: nights[0].overview.topIssues.map { ($0.issue.id, $0.signals) })
        #expect(now["a"]?.contains(.rising) == true && now["b"]?.contains(.muted) == true)
    }

    /// What a page has is what a report of the day after its end would have in its lists.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func pageIsThatOfAnEarlierReport(seed: UInt64) throws {
        var random = TestNumbers(state: seed)
        let rates = (0..<8).map { _ in Double.random(in: 0.01...0.8, using: &random) }
        var rows: [IssueDay] = []
        for (id, rate) in rates.enumerated() {
            for back in (0..<160).reversed() where Double.random(in: 0...1, using: &random) < rate {
                rows.append(.make("\(id)", back, events: 1 + back % 3))
            }
        }
        let source = SourceHistory.make(
            health: (0..<160).map { .make($0, sessions: 900 + $0 % 7, crashed: 2) },
            issues: rates.indices.map { Issue(id: "\($0)", title: "A") }, issueDays: rows,
            coverage: [CoverageSpan(.issueDays, .back(159) ... .back(0))])
        let late = analysis(source)
        for issue in late.issues.all {
            guard let page = issue.pageWindow else { continue }
            let past = AppAnalysis(
                .make(source), targets: .standard, asOf: Instant(startOf: page.lastDay.advanced(by: 1)))
            let listed = try #require(past.issues[issue.issue.id]?.window)
            #expect(page.lastDay == listed.lastDay)
            #expect(page.events == listed.events)
            #expect(page.values == listed.values)
            #expect(page.share == listed.share)
            #expect(page.trend?.course == listed.trend?.course)
            if case .rising? = listed.trend?.change { continue }
            #expect(page.trend?.change == listed.trend?.change)
        }
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
