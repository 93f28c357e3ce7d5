import Analysis
import AppHealth
import Charts
import Formatting
import HistoryFixtures
import Pages
import Testing

struct DropBreakdownTests {
    private func causes(
        _ health: [HealthDay], issues: [Issue] = [], days: [IssueDay] = []
    ) -> DropBreakdown? {
        let source = SourceHistory.make(health: health, issues: issues, issueDays: days)
        let yesterday = CivilDate.back(1)
        return DropBreakdown(
            HistoryIndex(.make(source), asOf: reportTime), before: [yesterday], after: lastDay...lastDay
        )
    }

    private static let atomic = Issue(
        id: "a", title: "", place: CodePlace(file: "src/Atomic.swift", line: 54))
    private static let worse: [HealthDay] = [
        .make(1, sessions: 100_000, crashed: 1000), .make(1, of: "4.2.2", sessions: 80_000, crashed: 800),
        .make(1, of: "4.3.0", sessions: 20_000, crashed: 200), .make(0, sessions: 100_000, crashed: 1620),
        .make(0, of: "4.2.2", sessions: 70_000, crashed: 700),
        .make(0, of: "4.3.0", sessions: 30_000, crashed: 920),
    ]

    @Test func sentenceAddsUp() throws {
        let days: [IssueDay] = [
            .make("a", 1, of: "4.3.0", events: 50, users: 40),
            .make("a", of: "4.3.0", events: 640, users: 452),
        ]
        let found = try #require(causes(Self.worse, issues: [Self.atomic], days: days))
        #expect(
            found.sentence
                == "Crash-free sessions are down 0.62\u{A0}pp from the day before: 0.41\u{A0}pp from 4.3.0 crashing more, 0.21\u{A0}pp from sessions moving to it. Largest increase in 4.3.0: Atomic.swift line 54 (+412 users, 100% of the increase in events per session)."
        )
        #expect(found.parts.map(\.label) == ["4.3.0", "4.2.2"])
        #expect(found.issues.map(\.share) == [1])
        let shown = found.shownPoints.reduce(0) { $0 + $1.shift + $1.within }
        #expect(abs(shown - 0.62) < 1e-9)
    }

    /// Two months of which the last day has a new release that crashes.
    private static func drop(of size: Int) -> [HealthDay] {
        (0...60).flatMap { back -> [HealthDay] in
            let (all, crashed) = (size * 173 + back, back == 0 ? size * 7 + 1 : size)
            let moved = back == 0 ? all / 3 : 0
            return [
                .make(back, sessions: all, crashed: crashed),
                .make(back, of: "1", sessions: all - moved, crashed: back == 0 ? size * 2 : size),
                .make(back, of: "2", sessions: moved, crashed: back == 0 ? size * 5 : 0),
            ]
        }
    }

    /// Why the rate dropped is said where its alert is: with a mute in the folded entry, which the public does not see, and
    /// nowhere where settings hide it.
    @Test(
        arguments: [
            (AlertSettings.standard, false, true), (.standard, true, false),
            (AlertSettings(kinds: [.stability: .init(isOn: false)]), false, false),
            (AlertSettings(kinds: [.stability: .init(least: AlertLevel(points: 20))]), false, false),
            (AlertSettings(kinds: [.stability: .init(least: AlertLevel(points: 1))]), false, true),
        ] as [(AlertSettings, Bool, Bool)])
    func whyItDroppedIsSaidWhereItsAlertIs(settings: AlertSettings, isMuted: Bool, isShown: Bool) {
        let control = AlertControl(
            mutes: isMuted ? [.make(0, .init(kind: .stability))] : [],
            settings: [AppHistory.make().app.id: settings])
        for (audience, isFolded) in [(Audience.team, isMuted), (Audience(.public), false)] {
            let report = AppAnalysis(
                .make(.make(health: Self.drop(of: 613))), targets: .standard, asOf: reportTime,
                control: control, audience: audience)
            func isWhy(_ text: String) -> Bool { text.contains("Crash-free sessions are down ") }
            let pages = AppPages(report, site: site)
            let (overview, day) = (pages.overview, pages.day(lastDay))
            #expect((overview.causes != nil) == isShown && (day.causes != nil) == isShown)
            #expect(pages.summary(of: lastDay).sentences.contains(where: isWhy) == isShown)
            for muted in [overview.muted, day.muted] {
                #expect((muted?.entries.map(\.sentence) ?? []).contains(where: isWhy) == isFolded)
            }
        }
    }

    /// The breakdown starts and ends at the rates shown, and its parts add up to their difference, for every reader.
    @Test(arguments: [Audience.team, Audience(.public)], [1, 7, 40, 613, 5_001])
    func breakdownEndsAtTheRateShown(audience: Audience, size: Int) throws {
        let report = AppAnalysis(
            .make(.make(health: Self.drop(of: size))), targets: .standard, asOf: reportTime,
            audience: audience)
        let found = try #require(report.lastDay.breakdown)
        #expect(report.lastDay.sessions.value == found.ends.after)
        func units(_ points: Double) -> Int { Int((points * 10_000).rounded()) }
        let drop = units(found.shownDrop)
        #expect(drop > 0 && found.steps.reduce(0) { $0 + units($1.shown) } == drop)
        // The table adds up to the steps of the sentence and of the chart.
        let points = found.shownPoints.map { (units($0.within), units($0.shift)) }
        #expect(
            found.steps.map { units($0.shown) } == [
                points[0].0, points.reduce(0) { $0 + $1.1 }, points.dropFirst().reduce(0) { $0 + $1.0 },
            ])
        let chart = try #require(AppPages(report, site: site).overview.causes?.chart?.chart)
        let rows = chart.table.rows
        let tile = PercentFormat(decimals: found.decimals).text(
            found.ends.after.complement.numerator, of: found.ends.after.denominator)
        #expect(rows.last?[1] == tile)
        // No digit more than what is shown.
        let steps = chart.table.csv.split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).last
        }
        #expect(steps.allSatisfy { $0.count <= "-0.123456".count }, "\(chart.table.csv)")
    }

    /// Where releases do not add up to the drop, as sessions may be in two of them or in none, they explain nothing.
    @Test(arguments: [(84, 19, false), (84, 60, false), (180, 65, true), (240, 90, true)])
    func releasesThatDoNotAddUpExplainNothing(one: Int, other: Int, isExplained: Bool) {
        let found = causes([
            .make(1, sessions: 10_000, crashed: 100), .make(1, of: "A", sessions: 6_000, crashed: 60),
            .make(1, of: "B", sessions: 4_100, crashed: 41), .make(0, sessions: 10_000, crashed: 300),
            .make(0, of: "A", sessions: 6_000, crashed: one),
            .make(0, of: "B", sessions: 4_100, crashed: other),
        ])
        #expect((found != nil) == isExplained)
    }

    @Test func sessionsThatMovedToSeveralReleasesAreNoOnesAlone() throws {
        let found = try #require(
            causes([
                .make(1, sessions: 1000, crashed: 20), .make(1, of: "1", sessions: 900, crashed: 9),
                .make(1, of: "2", sessions: 100, crashed: 11), .make(0, sessions: 1000, crashed: 90),
                .make(0, of: "1", sessions: 300, crashed: 3), .make(0, of: "2", sessions: 400, crashed: 60),
                .make(0, of: "3", sessions: 300, crashed: 27),
            ]))
        #expect(found.sentence.contains("from sessions moving between releases"))
    }

    @Test func releaseThatIsNewTakesSessions() throws {
        let found = try #require(
            causes([
                .make(1, sessions: 1000, crashed: 10), .make(1, of: "1", sessions: 1000, crashed: 10),
                .make(0, sessions: 1000, crashed: 60), .make(0, of: "1", sessions: 500, crashed: 5),
                .make(0, of: "2", sessions: 500, crashed: 55),
            ]))
        #expect(
            found.sentence
                == "Crash-free sessions are down 5.00\u{A0}pp from the day before: 5.00\u{A0}pp from sessions on 2, not in use before."
        )
    }

    /// Sessions and crashed ones of two releases three days, one day before and on the day of the drop, and what
    /// explains it.
    @Test(
        arguments: [
            // The good release loses its sessions to the bad one.
            (
                [(0, 0), (300, 9)], [(900, 9), (100, 3)], [(500, 5), (500, 15)],
                "0.80\u{A0}pp from sessions moving to 2."
            ),
            // All of them, to one that is new, or was in use before the days compared.
            (
                [(900, 9), (0, 0)], [(1000, 10), (0, 0)], [(0, 0), (1000, 30)],
                "2.00\u{A0}pp from sessions on 2, not in use before."
            ),
            (
                [(0, 0), (300, 9)], [(1000, 10), (0, 0)], [(0, 0), (1000, 30)],
                "2.00\u{A0}pp from sessions moving to 2."
            ),
            // Its own part is too small to be shown.
            (
                [(0, 0), (300, 9)], [(90_000, 900), (10_000, 300)], [(50_000, 500), (50_000, 1501)],
                "0.80\u{A0}pp from sessions moving to 2."
            ),
        ] as [([(Int, Int)], [(Int, Int)], [(Int, Int)], String)])
    func releaseThatOnlyLostSessionsExplainsNothing(
        earlier: [(Int, Int)], before: [(Int, Int)], after: [(Int, Int)], cause: String
    ) throws {
        let health = [(3, earlier), (1, before), (0, after)].flatMap { back, releases -> [HealthDay] in
            let all = releases.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            return [.make(back, sessions: all.0, crashed: all.1)]
                + zip(["1", "2"], releases).filter { $1.0 > 0 }.map {
                    .make(back, of: $0, sessions: $1.0, crashed: $1.1)
                }
        }
        let found = try #require(causes(health))
        #expect(found.parts.first?.label == "2")
        #expect(found.sentence.hasSuffix("from the day before: \(cause)"), "\(found.sentence)")
        #expect(found.shownPoints.last?.shift == 0)
    }

    /// What is said of the issue that increased most is never less than nothing: users, events, or events a session.
    @Test(
        arguments: [
            (200, 600, 40, 45, "+5 users"), (200, 600, 40, 20, "+400 events"),
            (900, 300, 400, 200, "+30.00 events per 1,000 sessions"),
        ])
    func increaseIsOne(before: Int, after: Int, usersBefore: Int, usersAfter: Int, text: String) throws {
        // The release crashes more often in half, or as many, of its sessions.
        let sessions = (20_000, before < after ? 20_000 : 4000)
        let health: [HealthDay] = [
            .make(1, sessions: 30_000, crashed: 300), .make(1, of: "1", sessions: 10_000, crashed: 100),
            .make(1, of: "2", sessions: sessions.0, crashed: 200), .make(0, sessions: 30_000, crashed: 900),
            .make(0, of: "1", sessions: 30_000 - sessions.1, crashed: 100),
            .make(0, of: "2", sessions: sessions.1, crashed: 800),
        ]
        let days: [IssueDay] = [
            .make("a", 1, of: "2", events: before, users: usersBefore),
            .make("a", of: "2", events: after, users: usersAfter),
        ]
        let found = try #require(causes(health, issues: [Self.atomic], days: days))
        #expect(found.issues.map(\.text) == [text])
        #expect(found.sentence.contains("Largest increase in 2: Atomic.swift line 54 (\(text), 100% of"))
    }

    /// The release has half its sessions: of all events those of the one issue dropped and of the other rose.
    @Test func sharesOfAnIncreaseAreOfWhatTheyAreSaidToBe() throws {
        let health: [HealthDay] = [
            .make(1, sessions: 30_000, crashed: 300), .make(1, of: "1", sessions: 10_000, crashed: 100),
            .make(1, of: "2", sessions: 20_000, crashed: 200), .make(0, sessions: 30_000, crashed: 900),
            .make(0, of: "1", sessions: 20_000, crashed: 100),
            .make(0, of: "2", sessions: 10_000, crashed: 800),
        ]
        let days: [IssueDay] = [
            .make("a", 1, of: "2", events: 1000, users: nil), .make("a", of: "2", events: 800, users: nil),
            .make("b", 1, of: "2", events: 0, users: nil), .make("b", of: "2", events: 100, users: nil),
        ]
        let found = try #require(
            causes(health, issues: [Self.atomic, Issue(id: "b", title: "B")], days: days))
        #expect(found.issues.map(\.share) == [0.75, 0.25])
        #expect(
            found.sentence.hasSuffix(
                "events per 1,000 sessions, 75.0% of the increase in events per session)."))
    }

    /// In a staged rollout a crash that each session of the release meets alike rises as the release reaches more.
    @Test func aCrashThatComesWithTheReleaseRises() throws {
        let health: [HealthDay] = [
            .make(1, sessions: 40_000, crashed: 100), .make(1, of: "1", sessions: 39_600, crashed: 90),
            .make(1, of: "2", sessions: 400, crashed: 10), .make(0, sessions: 40_000, crashed: 190),
            .make(0, of: "1", sessions: 36_000, crashed: 80), .make(0, of: "2", sessions: 4000, crashed: 110),
        ]
        let days: [IssueDay] = [
            .make("a", 1, of: "2", events: 10, users: nil), .make("a", of: "2", events: 100, users: nil),
            .make("b", 1, of: "2", events: 0, users: nil), .make("b", of: "2", events: 10, users: nil),
        ]
        let found = try #require(
            causes(health, issues: [Self.atomic, Issue(id: "b", title: "B")], days: days))
        #expect(
            found.sentence.contains("0.23\u{A0}pp from sessions moving to 2, −0.01\u{A0}pp"),
            "\(found.sentence)")
        #expect(
            found.sentence.hasSuffix(
                "Largest increase in 2: Atomic.swift line 54 (+90 events, 90.0% of the increase in events per session)."
            ))
        #expect(found.issues.map(\.text) == ["+90 events", "+10 events"])
    }

    @Test func sessionsOfNoReleaseAreAPartOfTheirOwn() throws {
        let found = try #require(
            causes([
                .make(1, sessions: 1000, crashed: 10), .make(1, of: "1", sessions: 600, crashed: 6),
                .make(0, sessions: 1000, crashed: 30), .make(0, of: "1", sessions: 600, crashed: 6),
            ]))
        #expect(found.parts.map(\.label) == [nil, "1"])
        #expect(found.sentence.contains("2.00\u{A0}pp from sessions of unknown releases crashing more"))
    }

    @Test func issuesOfTheWholeAppServeWhereReleasesAreNotCounted() throws {
        let days: [IssueDay] = [.make("a", 1, events: 5, users: 5), .make("a", events: 9, users: nil)]
        let found = try #require(causes(Self.worse, issues: [Self.atomic], days: days))
        #expect(found.issues.map(\.text) == ["+4 events"])
        #expect(found.sentence.hasSuffix("(+4 events, 100% of the increase in events)."))
    }

    @Test(arguments: [
        [HealthDay.make(1, sessions: 1000, crashed: 10), .make(0, sessions: 1000, crashed: 90)],
        [.make(1, of: "1", sessions: 1000, crashed: 10)],
        [.make(1, of: "1", sessions: 1000, crashed: 90), .make(0, of: "1", sessions: 1000, crashed: 10)],
        [.make(1, of: "1", sessions: 1000, crashed: 10), .make(0, of: "1", sessions: 1000, crashed: 10)],
        [.make(1, of: "1", sessions: .max, crashed: 0), .make(0, of: "1", sessions: .max, crashed: .max)], [],
    ])
    func withoutADropOrCountsThereIsNoCause(health: [HealthDay]) {
        #expect(causes(health) == nil)
    }

    @Test(
        arguments: [
            // A drop of three nights.
            ([50, 50, 400, 800, 800, 60, 50, 50], [false, false, true, true, true, false, false, false], 6),
            // It drops again, deeper, before it is back: still the same drop.
            (
                [50, 400, 400, 400, 400, 400, 1900, 50, 50, 50],
                [false, true, true, true, true, true, true, false, false, false], 9
            ),
            // One window of nights was never found: it does not drop.
            ([50, 50, 50, 50, 50, 50, 50], [false, false, false, false, false, false, false], nil),
        ] as [([Int], [Bool], Int?)])
    func openDropIsHeldAgainstTheLastWeekBeforeIt(
        story: [Int], isOpen: [Bool], first: Int?
    ) throws {
        let crashedOnDay = Array(repeating: 50, count: 61 - story.count) + story
        let health = crashedOnDay.enumerated().flatMap { place, crashed -> [HealthDay] in
            let back = crashedOnDay.count - 1 - place
            return [
                .make(back, sessions: 10_000, crashed: crashed, users: 10_000, crashedUsers: crashed),
                .make(back, of: "1", sessions: 10_000, crashed: crashed),
            ]
        }
        let index = HistoryIndex(.make(.make(health: health)), asOf: reportTime)
        let events = Analysis.events(in: index, rules: [StabilityRule(), RecoveryRule()])
        let drops = story.indices.reversed().map { index.openDrop(on: .back($0), events: events) }
        #expect(drops.map { $0 != nil } == isOpen)
        for (day, drop) in zip(story.indices.reversed(), drops) {
            guard let drop, let first else { continue }
            #expect(drop.before == (first...first + 6).reversed().map { .back($0) })
            #expect(drop.after == .back(day)...(.back(day)))
        }
    }
}
