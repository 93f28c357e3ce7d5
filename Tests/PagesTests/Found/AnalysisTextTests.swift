import AppHealth
import Diagnostics
import HistoryFixtures
import Pages
import Statistics
import Testing

@testable import Analysis

/// What pages say of what Analysis found.
struct AnalysisTextTests {
    @Test func problemsReportMutesThatAreOfNoUse() {
        let mutes: [Mute] = [
            .make(0, .init(issue: "rope")), .make(1, .init(issue: "ropes")),
            .make(2, .init(kind: .velocity), until: .init(date: .back(3))),
            .make(3, .init(kind: .regressed)), .make(4, .init(app: Slug("other"))),
        ]
        let problems = muteProblems(mutes, activity(mutes).uses)
        #expect(
            problems.map { "\($0.id) \($0.location.map { "\($0)" } ?? "") \($0.hints.joined())" } == [
                "mute.unmatched mutes.yml:2 did you mean issue 'rope'?",
                "mute.expired mutes.yml:3 remove it, or give it a later end",
                "mute.unmatched mutes.yml:4 remove it, or check what it names",
                "mute.unmatched mutes.yml:5 remove it, or check what it names",
            ])
        #expect(problems.allSatisfy { $0.severity == .warning })
    }

    @Test func aMuteThatEndedInOneAppStaysInTheOthers() {
        let mute = Mute.make(0, .init(kind: .velocity), until: .init(version: "2.1"))
        let here = activity([mute]).uses
        let other = HistoryIndex(.make(named: "Other"), asOf: reportTime)
        let elsewhere = Activity(of: [], in: other, under: AlertControl(mutes: [mute])).uses
        #expect(muteProblems([mute], here).map(\.id) == ["mute.expired"])
        #expect(muteProblems([mute], here + elsewhere).isEmpty)
    }

    @Test(arguments: [
        (Mute.End(), "permanently"), (.init(date: .back(0)), "until Wed, Jan 27, 2016"),
        (
            .init(version: "2.1", level: AlertLevel(users: 5, share: 0.25)),
            "until seen in 2.1 or until 5 users a day or 0.25% of sessions"
        ),
    ])
    func wordsStateTheEnd(end: Mute.End, words: String) {
        #expect(Mute.make(until: end).untilWords == words)
    }

    @Test func verdictsHaveWords() {
        let verdicts: [Verdict] = [.critical, .misses, .unknown, .notEnoughData(needed: 3), .meets]
        #expect(
            verdicts.map(\.words) == [
                "critical", "below target", "unknown", "not enough data", "meets target",
            ])
    }

    @Test func trendStatementsHoldTheLiveConstants() {
        var settings = IssueTrends.Settings()
        (settings.recent, settings.silence, settings.move) = (6, 4, 8)
        let texts = IssueTrends.statements(settings).map(\.text)
        #expect(texts[0].contains("in 6 days") && texts[1].contains("No event for 4–"))
        #expect(texts[3].contains("from 8 on"))
    }

    private static let occasion = EventIdentity(
        rule: "any", app: AppHistory.make().app, day: .back(9), at: reportTime)

    @Test(arguments: [
        (1, "hour"), (4, "4 hours"), (24, "24 hours"), (72, "3 days"),
    ])
    func spreadingIssueIsSaidOfItsSpan(hours: Int, span: String) throws {
        let alert = IssueVelocityAlert(
            occasion: Self.occasion, issue: Issue(id: "b", title: "b"), version: nil,
            extent: .share(try #require(Fraction(53, of: 1000))), hours: hours, users: nil, grounds: .newIssue
        )
        #expect(
            alert.sentence == "An issue in “b” is affecting 5.3% of sessions in the past \(span).")
    }

    @Test func sessionsAreNamedWhereUsersAreNotKnown() {
        let finding = UsageFinding(
            day: 0, score: 3, count: 2000, expected: 9000, range: Interval(lower: 8000, upper: 10_000))
        let anomaly = UsageAnomaly(
            occasion: Self.occasion, measure: .sessions, finding: finding, last: .back(9), zone: "UTC",
            deviation: nil)
        #expect(
            anomaly.sentence
                == "Sessions were 77.78% below the expected level on Monday, Jan 18 UTC: 2,000 vs. about 9,000."
        )
    }

    /// One of a few users is percents by itself: such a change has no decimals, and what was expected has one.
    @Test(
        arguments: [
            (1, 5.37, "81% below", "1 vs. about 5.4"), (12, 3.46, "247% above", "12 vs. about 3.5"),
            (0, 40, "100% below", "0 vs. about 40"), (205, 99.6, "106% above", "205 vs. about 100"),
            (205, 100, "105.0% above", "205 vs. about 100"),
        ] as [(Int, Double, String, String)])
    func aChangeOfAFewUsersHasNoDecimals(count: Int, expected: Double, change: String, counts: String) {
        let finding = UsageFinding(
            day: 0, score: 3, count: count, expected: expected, range: Interval(lower: 0, upper: expected))
        let anomaly = UsageAnomaly(
            occasion: Self.occasion, measure: .activeUsers, finding: finding, last: .back(9), zone: "UTC",
            deviation: nil)
        #expect(
            anomaly.sentence
                == "Active users were \(change) the expected level on Monday, Jan 18 UTC: \(counts).")
    }

    @Test func dropOverALongerWindowSaysSo() {
        let finding = DropFinding(
            day: 9, window: 7, score: 4, crashed: 980, total: 100_000, expected: 0.005, dispersion: 1,
            baselineTotal: 800_000, baselineDays: 56)
        let episode = StabilityEpisode(
            basis: .users, first: .back(9), last: .back(9), finding: finding, worst: finding,
            origin: StabilityEpisode.Origin(first: .back(9), expected: finding.expected),
            state: .open(days: 1))
        let alert = StabilityAlert(occasion: Self.occasion, episode: episode, other: nil)
        #expect(alert.sentence.contains("in the past 7 days. At 99.02%"))
        #expect(alert.sentence.contains(" expected for these weekdays"))
    }
}
