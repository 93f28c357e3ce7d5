import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct IssueRowTests {
    private static let issues = [
        Issue(id: "a", title: "A", users: 40), Issue(id: "b", title: "", users: 7),
        Issue(id: "c", title: "C", events: 9_000_000, users: 5), Issue(id: "d", title: "D"),
    ]

    private func source(
        _ days: [IssueDay], health: [HealthDay] = [.make(1, sessions: 900), .make(sessions: 1000)]
    )
        -> SourceHistory
    {
        .make(health: health, issues: Self.issues, issueDays: days)
    }

    @Test func rankMovesAgainstTheDayBefore() {
        let report = AppAnalysis.make(
            source([
                .make("a", 1, users: 9), .make("a", 0, users: 8), .make("b", 1, users: 6),
                .make("b", 0, users: 9),
                .make("c", 1, users: 5), .make("c", 0, users: 5), .make("d", 0, users: 2),
            ]))
        let rows = AppPages(report, site: site).day(lastDay).issues
        #expect(rows.map(\.title) == ["(no title)", "A", "C", "D"])
        #expect(rows.map(\.rank) == [1, 2, 3, 4])
        #expect(rows.map(\.movement) == ["▲1", "▼1", "=", "entered"])
    }

    /// An issue without events on the day before entered the ranking; it is new on the day on which it was first seen.
    @Test(arguments: [(nil, "entered"), (40, "entered"), (1, "entered"), (0, "new")] as [(Int?, String)])
    func anIssueIsNewOnItsFirstDayAlone(back: Int?, mark: String) {
        let issues = [
            Issue(id: "a", title: "A"), Issue(id: "b", title: "B", firstSeen: back.map { .noon(back: $0) }),
        ]
        let source = SourceHistory.make(
            health: [.make(1, sessions: 900), .make(sessions: 1000)], issues: issues,
            issueDays: [.make("a", 1, users: 9), .make("a", 0, users: 8), .make("b", 0, users: 2)])
        let rows = AppPages(.make(source), site: site).day(lastDay).issues
        #expect(rows.map(\.movement) == ["=", mark])
    }

    @Test func movementIsUnknownAfterADayWithoutFigures() {
        let report = AppAnalysis.make(source([.make("a", 0), .make("a", 2)], health: [.make(2), .make(0)]))
        #expect(AppPages(report, site: site).day(lastDay).issues.map(\.movement) == [""])
        #expect(AppPages(report, site: site).day(.back(2)).issues.map(\.movement) == [""])
    }

    @Test func usersOfManyDaysAreThoseThatTheSourceCounts() {
        let report = AppAnalysis.make(source((0...40).map { .make("a", $0, events: 10, users: 30) }))
        let page = AppPages(report, site: site).issues
        #expect(page.span == "28 days to Wed, Jan 27, 2016")
        #expect(page.issues.first?.users == "40")
        // Events may be added up, over the 28 days of the list.
        #expect(page.issues.first?.events == "280")
        #expect(AppPages(report, site: site).day(lastDay).issues.first?.users == "30")
    }

    @Test func issueWithoutDaysHasNoEventsInAListOfDays() {
        let page = AppPages(
            .make(source([.make("a", 0, events: 3), .make("b", 30, events: 500)])), site: site
        ).issues
        #expect(page.issues.map(\.title) == ["A", "(no title)", "C", "D"])
        #expect(page.issues.map(\.events) == ["3", "0", "–", "–"])
        #expect(page.issues.map(\.users) == ["40", "7", "5", "–"])
        #expect(page.issues.map { $0.sparkline == nil } == [false, false, true, true])
    }

    @Test func sourceWithoutDaysShowsItsOwnCounts() {
        let plainSource = SourceHistory.make("bugsnag", knows: [.issues, .sessions], issues: Self.issues)
        let page = AppPages(.make(plainSource), site: site).issues
        #expect(page.span == "what the source counts")
        #expect(page.issues.map(\.events) == ["9,000,000", "–", "–", "–"])
        #expect(page.issues.map(\.title) == ["C", "A", "(no title)", "D"])
        #expect(
            AppPages(.make(plainSource), site: site).day(lastDay).issuesUnavailable
                == "Issues by day not available: 'bugsnag' doesn't provide them.")
    }

    @Test func spanIsThatOfTheSourceThatListsTheIssues() {
        let one = SourceHistory.make("one", knows: [.issues], issues: Self.issues)
        let two = SourceHistory.make("two", knows: [.issues, .issueDays], issueDays: [.make("a")])
        let page = AppPages(.make(one, two), site: site).issues
        #expect(page.span == "what the source counts")
        #expect(page.issues.first?.events == "9,000,000")
    }

    /// A number of some days is no total, and every list says over which time its users are counted.
    @Test(arguments: [
        (IssueTotals.unstated, "per source", "Users: as the source counts them.", "what the source counts"),
        (
            .lifetime, "lifetime", "Users: unique over the issue’s lifetime, per source.",
            "the lifetime of each issue"
        ),
        (
            .days(28), "28 days", "Users: unique over the newest 28 days, per source.",
            "the newest 28 days, as the source counts them"
        ),
        (
            .days(1), "1 day", "Users: unique over the newest 1 day, per source.",
            "the newest 1 day, as the source counts them"
        ),
    ])
    func theTimeOfTotalsIsThatOfTheSource(totals: IssueTotals, head: String, sentence: String, span: String) {
        var plainSource = SourceHistory.make(knows: [.issues, .sessions], issues: Self.issues)
        plainSource.source.issueTotals = totals
        let pages = AppPages(.make(plainSource), site: site)
        #expect(pages.issues.usersSpan == head)
        #expect(pages.issues.usersSentence == sentence)
        #expect(pages.issues.span == span)
        #expect(pages.overview.usersSpan == head)
    }

    @Test(arguments: [
        (
            IssueTotals.lifetime, true,
            ["Events in 28 days: 3 (1 of 28 days)", "Total events: 50", "Total users: 40"]
        ),
        (.days(28), true, ["Events in 28 days: 3 (1 of 28 days)", "Users: 40 (28 days)"]),
        (.days(13), false, ["Events in 28 days: Unknown", "Events: 50 (13 days)", "Users: 40 (13 days)"]),
    ])
    func aNumberOfSomeDaysIsNoTotal(totals: IssueTotals, hasDays: Bool, facts: [String]) {
        var one = SourceHistory.make(
            health: [.make(sessions: 1000)], issues: [Issue(id: "a", title: "A", events: 50, users: 40)],
            issueDays: hasDays ? [.make("a", events: 3)] : [])
        one.source.issueTotals = totals
        let report = AppAnalysis.make(one)
        let rows = report.issues["a"].map { AppPages(report, site: site).issue($0).facts } ?? []
        #expect(
            rows.map { "\($0.name): \($0.value)" }.filter {
                $0.contains("Events") || $0.contains("Users") || $0.contains("Total")
            }
                == facts)
    }

    @Test func shareSaysWhatItIsAShareOf() {
        let days: [IssueDay] = [
            .make("a", events: 50), .make("a", of: "1.0", events: 5), .make("b", events: 20),
        ]
        let health: [HealthDay] = [.make(sessions: 1000), .make(of: "1.0", sessions: 100)]
        let rows = AppPages(.make(source(days, health: health)), site: site).day(lastDay).issues
        #expect(rows.map { plain($0.share) } == ["5.0% of sessions of 1.0", "2.00% of sessions"])
        // One session may hold many events.
        let few = AppPages(.make(source(days, health: [.make(sessions: 1)])), site: site).day(lastDay).issues
        #expect(few.map { plain($0.share) } == ["100% of sessions", "100% of sessions"])
    }

    @Test func signalsAreThoseOfTheLastSevenDays() {
        let issues = [6, 7].map { Issue(id: "a\($0)", title: "", firstSeen: .noon(back: $0)) }
        let page = AppPages(.make(.make(health: [.make(20), .make(0)], issues: issues)), site: site).issues
        #expect(page.issues.map(\.signals) == [["new"], []])
    }

    /// The events of each of the last days of an issue that had none before, and what its page says of their course: the
    /// median of the slopes is 0 where most days are without events, however fast the others rise.
    @Test(arguments: [
        ([20, 40, 80, 120, 200, 262], "rises (p < 0.001)"),
        (Array(1...28), "rises by about 1.0 events a day (p < 0.001)"),
    ])
    func paceIsSaidWhereItIsKnown(events: [Int], text: String) throws {
        let rows = events.reversed().enumerated().map { IssueDay.make("a", $0.offset, events: $0.element) }
        let report = AppAnalysis.make(
            .make(
                health: (0..<60).map { .make($0, sessions: 10_000, crashed: 0) },
                issues: [Issue(id: "a", title: "A")], issueDays: rows))
        let page = AppPages(report, site: site).issue(try #require(report.issues["a"]))
        let trend = page.facts.first { $0.name == "Trend, 28 days" }?.value
        #expect(trend.map { plain($0) } == text)
    }

    @Test func issuePageStatesWhatIsKnown() throws {
        let issue = Issue(
            id: "a/b", title: "T", kind: .hang, state: .muted,
            place: CodePlace(file: "src/Atomic.swift", line: 54),
            firstVersion: Version("1.0"), users: 1234, url: "https://example.org/1")
        let report = AppAnalysis.make(.make(issues: [issue]))
        let page = AppPages(report, site: site).issue(try #require(report.issues["a/b"]))
        #expect(page.place == "Atomic.swift:54" && page.file == "src/Atomic.swift")
        #expect(page.kind == "hang" && page.state == "muted" && page.url == "https://example.org/1")
        #expect(
            page.facts.map(\.value) == [
                "Unknown", "Unknown", "1.0", "Unknown", "Unknown", "Unknown", "Unknown", "1,234",
            ])
        #expect(page.chart == nil && page.releases.isEmpty)
    }

    @Test func issueListedTwiceHasOneRow() {
        let page = AppPages(.make(.make(issues: Self.issues + Self.issues)), site: site).issues
        #expect(page.issues.count == 4 && page.sentence == "4 issues, 4 open.")
    }

    @Test(
        arguments: [
            (.make(), "No issues.", nil),
            (
                .make(knows: [.users]), "Issues unknown.",
                "Issues not available: 'files' doesn't provide them."
            ),
            (
                .make(capturedAt: nil, failure: timeout), "Issues unknown.",
                "Couldn't fetch the source: No answer within 30 seconds."
            ),
            (SourceHistory(source: .make()), "Issues unknown.", "No source fetched yet."),
            (.make(issues: [Issue(id: "a", title: "", state: .closed)]), "1 issue, 0 open.", nil),
        ] as [(SourceHistory, String, String?)])
    func emptyListSaysWhy(source: SourceHistory, sentence: String, why: String?) {
        let page = AppPages(.make(source), site: site).issues
        #expect(page.sentence == sentence)
        #expect(page.unavailable == why)
    }
}
