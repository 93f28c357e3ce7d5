import Analysis
import AppHealth
import HistoryFixtures
import Testing

struct TrendTests {
    /// Issues of an app with 10,000 sessions a day: each gives its count so many days back.
    private func trends(
        over length: Int = 60, _ counts: [String: @Sendable (Int) -> Int],
        settings: IssueTrends.Settings = .init()
    ) -> IssueTrends {
        let source = SourceHistory.make(
            health: (0..<length).map { .make($0, sessions: 10_000) },
            issues: counts.keys.sorted().map { Issue(id: $0, title: $0) },
            issueDays: counts.flatMap { id, count in
                (0..<length).filter { count($0) > 0 }.map {
                    .make(id, $0, events: count($0), users: count($0))
                }
            })
        let history = AppHistory(app: AppHistory.make().app, sources: [source])
        return IssueTrends(HistoryIndex(history, asOf: reportTime), settings: settings)
    }

    private func steady(_ level: Int) -> @Sendable (Int) -> Int { { level + $0 * 5 % 3 - 1 } }

    /// A count of the last so many days, and the usual one of the days before.
    struct Course: Sendable {
        var length = 60
        let days: Int
        let recent: Int
        let usual: Int
    }

    @Test(
        arguments: [
            (Course(days: 7, recent: 20, usual: 20), []),
            (Course(days: 7, recent: 60, usual: 20), ["rising"]),
            (Course(days: 7, recent: 22, usual: 20), []), (Course(days: 7, recent: 5, usual: 20), []),
            // Too young an archive, new this week, new and too few.
            (Course(length: 15, days: 7, recent: 60, usual: 20), []),
            (Course(days: 4, recent: 9, usual: 0), ["rising"]), (Course(days: 1, recent: 4, usual: 0), []),
            // Silence: surprising, too short, too long ago.
            (Course(days: 9, recent: 0, usual: 20), ["gone"]), (Course(days: 2, recent: 0, usual: 20), []),
            (Course(days: 40, recent: 0, usual: 20), []),
        ] as [(Course, [String])])
    func issueIsMarkedWhenChanceDoesNotExplainIt(course: Course, words: [String]) {
        let trends = trends(
            over: course.length,
            ["a": { $0 < course.days ? course.recent : course.usual }, "b": steady(30), "c": steady(10)])
        #expect(trends.byIssue["a"]?.signals.map(\.rawValue) ?? [] == words)
        #expect(trends.byIssue["b"]?.signals ?? [] == [])
    }

    @Test func silenceOfARareIssueIsNoSurprise() {
        let trends = trends(["a": { $0 >= 9 && $0 % 14 == 10 ? 1 : 0 }, "b": steady(30)])
        #expect(trends.byIssue["a"]?.signals == [])
    }

    @Test func silenceStatesWhatWasExpected() throws {
        let change = trends(["a": { $0 < 9 ? 0 : 20 }]).byIssue["a"]?.change
        guard case .gone(let days, let expected, let pValue)? = change else {
            Testing.Issue.record("\(String(describing: change))")
            return
        }
        #expect(days == 9 && abs(expected - 180) < 3 && pValue < 0.01)
    }

    @Test func oneOfManyNeedsMoreToRise() {
        let alone = trends(["a": { $0 < 7 ? 7 : 4 }], settings: .strict(level: 0.02))
        #expect(alone.byIssue["a"]?.signals == [.rising])
        var many: [String: @Sendable (Int) -> Int] = ["a": { $0 < 7 ? 7 : 4 }]
        for index in 0..<400 { many["x\(index)"] = steady(4) }
        #expect(trends(many, settings: .strict(level: 0.02)).byIssue["a"]?.signals == [])
    }

    @Test func courseIsReportedByItsSlope() throws {
        let trends = trends(["up": { 60 - $0 }, "flat": { 20 + $0 * 7 % 5 }])
        let course = try #require(trends.byIssue["up"]?.course)
        #expect(course.rises && course.slope == 1 && course.pValue < 0.001)
        #expect(trends.byIssue["flat"]?.course == nil)
    }

    /// So many more events on each of the days of the last half of the window, and what the page and its chart say of the
    /// 28 days: the same, by one level.
    @Test(
        arguments: [(0, nil), (1, nil), (2, nil), (3, true), (4, true), (40, true), (-40, false)]
            as [(Int, Bool?)])
    func chartAndPageSayTheSameOfAnIssue(step: Int, rises: Bool?) throws {
        let counts = (0..<60).map { back in
            max(0, (step < 0 ? 50 : 5) + back * 7 % 9 + (back < 14 ? step : 0))
        }
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 10_000, crashed: 20) },
            issues: [Issue(id: "a", title: "A")],
            issueDays: counts.enumerated().filter { $0.element > 0 }.map {
                .make("a", $0.offset, events: $0.element, users: $0.element)
            })
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let issue = try #require(report.issues["a"])
        let days = (0..<60).reversed().map { CivilDate.back($0) }
        let chart = try #require(report.issues.events(of: issue, on: days, report.stability)?.trend)
        let trend = issue.window.trend?.course
        #expect(trend?.rises == rises)
        #expect(chart == (trend.map { $0.rises ? .rising : .falling } ?? .flat))
    }

    @Test func moveIsShownWhenTheCountsBearItOut() {
        // From third to first, far beyond chance; the other two only swap by a hair.
        let trends = trends([
            "a": { $0 < 7 ? 200 : 20 }, "b": { $0 < 7 ? 100 : 101 }, "c": { $0 < 7 ? 101 : 100 },
        ])
        #expect(trends.byIssue["a"]?.rank == 1 && trends.byIssue["a"]?.rankBefore == 3)
        #expect(trends.byIssue["a"]?.move == 2)
        #expect(trends.byIssue["b"]?.move == -2)
        #expect(trends.byIssue["c"]?.move == nil && trends.byIssue["c"]?.rankBefore == 2)
    }

    /// Issues of a few events swap many places by chance.
    @Test func moveOfManyPlacesByChanceIsNotShown() {
        var counts: [String: @Sendable (Int) -> Int] = ["z": { $0 == 0 ? 7 : $0 == 7 ? 3 : 0 }]
        for index in 0..<7 { counts["x\(index)"] = { $0 == 0 || $0 == 7 ? 5 : 0 } }
        let found = trends(counts).byIssue["z"]
        #expect(found?.rank == 1 && found?.rankBefore == 8)
        #expect(found?.move == nil)
    }

    @Test func moveOfFivePlacesIsShownWhereItsShareMoved() {
        var counts: [String: @Sendable (Int) -> Int] = ["z": { $0 < 7 ? 16 : 9 }]
        for index in 0..<7 { counts["x\(index)"] = { _ in 15 - index % 3 } }
        #expect(trends(counts).byIssue["z"]?.move == 7)
        #expect(trends(counts).byIssue["x0"]?.move == nil)
    }

    /// Events and users of each of the last 7 days and of the days before, and what of it is counted.
    @Test(
        arguments: [
            // Events rise, their users do not; and the other way round.
            ((40, 5), (10, 5), .events, ["rising"]), ((10, 40), (10, 5), .events, []),
            // Nothing names a user any more.
            ((10, 0), (10, 10), .events, []), ((10, nil), (10, 10), .events, []),
            // No events are known.
            ((nil, 40), (nil, 10), .userDays, ["rising"]), ((nil, 10), (nil, 10), .userDays, []),
            ((nil, 0), (nil, 10), .userDays, ["gone"]),
        ] as [((Int?, Int?), (Int?, Int?), IssueTrend.Unit, [String])])
    func eventsAreCountedWhereAnyAreKnown(
        recent: (Int?, Int?), before: (Int?, Int?), unit: IssueTrend.Unit, words: [String]
    ) throws {
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 10_000) }, issues: [Issue(id: "a", title: "A")],
            issueDays: (0..<60).map { back in
                let (events, users) = back < 7 ? recent : before
                return .make("a", back, events: events, users: users)
            })
        let trends = IssueTrends(
            HistoryIndex(AppHistory(app: AppHistory.make().app, sources: [source]), asOf: reportTime))
        let found = try #require(trends.byIssue["a"])
        #expect(found.unit == unit && found.signals.map(\.rawValue) == words)
        if case .rising(let count, let expected, _)? = found.change {
            #expect(count == 280 && abs(expected - 70) < 2)
        }
        #expect(unit == .userDays || found.rank != nil)
    }

    @Test func orderOfIssuesChangesNothing() {
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 10_000) },
            issues: ["a", "b"].map { Issue(id: $0, title: $0) },
            issueDays: (0..<60).flatMap { back in
                [.make("a", back, users: back < 7 ? 60 : 20), .make("b", back, users: 20)]
            })
        var turned = source
        turned.issues.reverse()
        turned.issueDays.reverse()
        let app = AppHistory.make().app
        let (one, other) = (
            IssueTrends(HistoryIndex(AppHistory(app: app, sources: [source]), asOf: reportTime)),
            IssueTrends(HistoryIndex(AppHistory(app: app, sources: [turned]), asOf: reportTime))
        )
        #expect(one.byIssue == other.byIssue)
    }
}

extension IssueTrends.Settings {
    fileprivate static func strict(level: Double) -> Self {
        var settings = Self()
        settings.discoveryRate = level
        return settings
    }
}
