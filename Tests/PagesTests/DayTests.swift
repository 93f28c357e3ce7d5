import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct DayTests {
    private static let known = HealthDay.make(sessions: 11_000, crashed: 20, users: 2000, crashedUsers: 12)

    @Test func figuresAreGivenAsReportedAndAsKnown() {
        let reported = HealthDay.make(sessions: 9796, crashed: 25, users: 2000)
        let source = SourceHistory.make(health: [Self.known], asReported: [reported])
        let rows = AppPages(.make(source), site: site).day(lastDay).revisions
        #expect(
            rows.map(\.label) == [
                "Sessions", "Crashed sessions", "Users", "Affected users", "Crash-free users",
                "Crash-free sessions",
            ])
        #expect(rows.map { plain($0.reported) } == ["9,796", "25", "2,000", "–", "–", "99.74%"])
        #expect(
            rows.map { plain($0.known) } == [
                "11,000", "20", "2,000", "12", "99.40% (98.95–99.66)", "99.82% (99.72–99.88)",
            ])
        #expect(rows.map { plain($0.change) } == ["+1,204", "−5", "unchanged", "–", "–", "+0.07 pp"])
    }

    @Test(arguments: [(1, "1 affected user"), (2, "2 affected users")])
    func oneAffectedUserIsNoPlural(users: Int, text: String) {
        let source = SourceHistory.make(
            health: [.make(users: 100, crashedUsers: users)], issues: [Issue(id: "a", title: "A")],
            issueDays: [.make("a", events: 4, users: users)])
        let page = AppPages(.make(source), site: site).day(lastDay)
        #expect(page.coverage?.contains(" of \(text).") == true)
    }

    @Test(arguments: [([HealthDay](), [known]), ([known], []), ([], [])])
    func figureThatWasNeverReportedHasNoChange(health: [HealthDay], reported: [HealthDay]) {
        let source = SourceHistory.make(health: health, asReported: reported)
        let rows = AppPages(.make(source), site: site).day(lastDay).revisions
        // A metric of which nothing is known is no row.
        #expect(rows.count == (health.isEmpty && reported.isEmpty ? 0 : 6))
        #expect(rows.allSatisfy { $0.change == "–" })
        #expect(
            rows.allSatisfy {
                ($0.known == "–") == health.isEmpty && ($0.reported == "–") == reported.isEmpty
            })
    }

    /// Of an app without sessions only crashes have a first and a current value.
    @Test func crashesAreGivenAsReportedAndAsKnown() {
        let day = { HealthDay(date: lastDay, crashes: $0) }
        let source = SourceHistory.make(health: [day(145)], asReported: [day(139)])
        let page = AppPages(.make(source), site: site).day(lastDay)
        #expect(
            page.revisions.map { "\($0.label) \($0.reported) \($0.known) \($0.change)" } == [
                "Crashes 139 145 +6"
            ])
    }

    /// The crashes of a source of issues are the sum of these, of which no figure of the day says anything.
    @Test func crashesOfIssuesAreGivenAsReportedAndAsKnown() {
        let source = SourceHistory.make(
            knows: [.issues, .issueDays], asReported: [HealthDay(date: lastDay, crashes: 7)],
            issues: [Issue(id: "a", title: "A")], issueDays: [.make("a", events: 9)])
        let page = AppPages(.make(source), site: site).day(lastDay)
        #expect(
            page.revisions.map { "\($0.label) \($0.reported) \($0.known) \($0.change)" } == ["Crashes 7 9 +2"]
        )
        #expect(page.isProvisional && page.frame.freshness.hasSuffix("; provisional."))
    }

    /// What no app has is neither known nor was it reported.
    @Test(arguments: [
        (PlausibleCount.largest, 0, ["Sessions", "Crashed sessions", "Crash-free sessions"]),
        (.max, .min, []), (.max, 0, ["Sessions", "Crashed sessions", "Crashes"]),
    ])
    func extremesDoNotTrap(most: Int, least: Int, labels: [String]) {
        let source = SourceHistory.make(
            health: [.make(sessions: most, crashed: least)],
            asReported: [.make(sessions: least, crashed: most)])
        let rows = AppPages(.make(source), site: site).day(lastDay).revisions
        #expect(rows.map(\.label) == labels)
    }

    @Test(
        arguments: [
            (0, "../2016-01-26/index", nil),
            (
                1, "../2016-01-25/index",
                "../2016-01-27/index"
            ),
            (2, nil, "../2016-01-26/index"),
        ] as [(Int, String?, String?)])
    func dayLeadsToItsNeighbors(back: Int, previous: String?, next: String?) {
        let page = AppPages(.make(.make(health: [.make(2), .make(0)])), site: site).day(.back(back))
        #expect(page.previousStem == previous)
        #expect(page.nextStem == next)
    }

    @Test func anOverviewWithoutASourceOfIssuesSaysSoInsteadOfNone() {
        let without = AppAnalysis.make(.make("files", knows: [.users], health: [.make(users: 9)]))
        let page = AppPages(without, site: site).overview
        #expect(page.issuesAbsence == "Issues not available: 'files' doesn't provide them.")
        #expect(page.issues.isEmpty)
        let with = AppPages(.make(.make(health: [.make(users: 9)])), site: site).overview
        #expect(with.issuesAbsence == nil)
    }

    @Test func dayWithoutFiguresSaysSo() {
        let report = AppAnalysis.make(.make(health: [.make(2, users: 9, crashedUsers: 0), .make(0)]))
        let page = AppPages(report, site: site).day(.back(1))
        #expect(page.sentence == nil && page.verdict.why == "No rate: no data for Tue, Jan 26, 2016.")
        #expect(page.verdict.name == "unknown" && page.issues.isEmpty && page.coverage == nil)
    }

    @Test func dayHoldsItsOwnEventsAlone() {
        let notes = [0, 1].map {
            Note(id: "\($0)", at: .noon(back: $0), author: "Ada", text: "\($0)", subject: .app)
        }
        let page = AppPages(.make(.make(health: [.make(1), .make(0)], notes: notes)), site: site).day(lastDay)
        #expect(page.events.map(\.date) == ["2016-01-27"])
        #expect(page.events.map(\.kind) == ["New Note"])
    }
}

struct SummaryDocumentTests {
    private static let source = SourceHistory.make(
        capturedAt: reportTime,
        health: [
            .make(0, sessions: 9000, users: 1000, crashedUsers: 60), .make(of: "1.1", sessions: 300),
            .make(of: "1.0", sessions: 300),
        ] + (1...60).map { .make($0, sessions: 9000, users: 1000, crashedUsers: 2) },
        releases: [Release(version: Version("1.1", build: "7"), releasedAt: .noon(back: 1))],
        issues: ["a", "b"].map {
            Issue(id: $0, title: "", firstSeen: .noon(back: 0), events: $0 == "a" ? 1 : 2)
        },
        issueDays: [
            .make("a", users: 45), .make("a", of: "1.0", events: 9, users: 30),
            .make("a", of: "1.1", events: 9, users: 30),
        ])

    /// Two sources, of which that of the issues failed since some days.
    @Test(arguments: [(0, false), (3, true)]) func summarySaysThatIssuesAreUnknown(back: Int, isUnknown: Bool)
    {
        let sessions = SourceHistory.make(
            "a", knows: [.sessions], health: (0..<9).map { .make($0, sessions: 9000, crashed: 9) })
        let issues = SourceHistory.make(
            "b", knows: [.issues, .issueDays], capturedAt: .noon(back: back - 1), failure: timeout,
            issues: [Issue(id: "a", title: "A")], issueDays: (back..<9).map { .make("a", $0) })
        let report = AppAnalysis.make(sessions, issues)
        let why = "No data by issue for this day."
        let document = daySummary(of: lastDay, report, .absent, isDemo: false)
        #expect(document.sentences.contains(why) == isUnknown)
        #expect(AppPages(report, site: site).day(lastDay).issuesUnavailable == (isUnknown ? why : nil))
    }

    private func ofDay(_ source: SourceHistory, _ links: Links = .absolute(base: "https://example.org"))
        -> SummaryDocument
    {
        daySummary(of: lastDay, .make(source), links, isDemo: false)
    }

    @Test func firstLinesCanBeReadAlone() {
        let document = ofDay(Self.source)
        #expect(document.title == "Sketchbook — Wed, Jan 27, 2016 (UTC)")
        #expect(
            document.sentences.map { plain($0) } == [
                "Crash-free users 94.0% (92.4–95.3) on Wed, Jan 27, 2016; target 99.5%. Change: −5.8 pp vs. Wed, Jan 20, 2016.",
                "Crash free users dropped by 5.81% in the past 24 hours. At 94.00%, it is significantly below the 99.80% expected for a Wednesday.",
                "4.5% of your users were affected by 1 issue on Wednesday, Jan 27 UTC. The top issue accounts for 75.0% of 60 affected users.",
                "The only crash issue accounts for 1.7% of at least 60 crashes; the rest belong to no issue. It affects 45 of 60 affected users (75.0%).",
                "Error budget: Not enough data. 18% of the 28-day error budget remains: 26 of 140 crashed user-days. At the pace of the last 7 days, it runs out between Fri, Jan 29, 2016 and Fri, Feb 5, 2016.",
            ])
        #expect(document.freshness == "Data as of Thu, Jan 28, 2016, 06:30 UTC; provisional.")
        #expect(document.pageStem == "https://example.org/apps/sketchbook/days/2016-01-27/index")
        #expect(document.methodsStem == "https://example.org/methods/index")
    }

    /// The budget has the words of its page, which no status of a day has, and a word of its sentence once.
    @Test(
        arguments: [
            (28, 10_000, 10, "Within budget", "Within budget. 80% of the 28-day error budget remains: "),
            (28, 10_000, 49, "Close to the target", "Close to the target. 2% of "),
            (28, 10_000, 100, "Overspent", "Overspent by 1,400 crashed user-days, 100% of "),
            (1, 40, 0, "Not enough data", "Not enough data. 100% of "),
        ])
    func theBudgetHasTheWordsOfItsPage(days: Int, users: Int, crashed: Int, words: String, start: String) {
        let source = SourceHistory.make(
            health: (0..<days).map { .make($0, users: users, crashedUsers: crashed) })
        let line = ofDay(source).sentences.first { $0.hasPrefix("Error budget: ") }
        #expect(line?.hasPrefix("Error budget: \(start)") == true, "\(line ?? "none")")
        #expect(AppPages(.make(source), site: site).overview.budget?.verdict.words == words)
    }

    @Test(arguments: [Links.absent, .absolute(base: "https://example.org"), .relative(from: .portfolio)])
    func issuesAreFoldedByWhatHappenedToThem(links: Links) {
        let document = ofDay(Self.source, links)
        // Issue a spread in two releases and is reported once; neither issue has a title.
        #expect(document.folded.map(\.title) == ["New", "Velocity"])
        #expect(document.folded.map { $0.issues.map(\.users) } == [["45", "–"], ["45"]])
        #expect(document.foldedTitle == "New (2) · Velocity (1)")
        #expect((document.pageStem == nil) == (links.stem(to: .methods) == nil))
    }

    /// Issues have other addresses in a site for other readers; the rest of it is where links lead.
    @Test(arguments: [(Audience.Reader.team, true), (.public, false)])
    func linksLeadToPagesOfTheSite(published: Audience.Reader, hasIssues: Bool) {
        var facts = site
        (facts.baseURL, facts.publishedReader) = ("https://example.org", published)
        let document = ofDay(Self.source, facts.outwardLinks)
        #expect(document.pageStem == "https://example.org/apps/sketchbook/days/2016-01-27/index")
        #expect(!document.issues.isEmpty && document.issues.allSatisfy { ($0.stem != nil) == hasIssues })
    }

    @Test func mutedIssuesOfTheDayAreFolded() {
        var source = Self.source
        source.issues[0].state = .muted
        source.issues[1].state = .muted
        source.note(reportTime)
        #expect(ofDay(source).foldedTitle == "New (2) · Velocity (1) · Muted (1)")
    }

    @Test func firstLineComparesWithTheSameWeekday() {
        let source = SourceHistory.make(health: [
            .make(7, users: 10_000, crashedUsers: 9), .make(0, users: 10_000, crashedUsers: 30),
        ])
        #expect(
            plain(ofDay(source).sentences.first)
                == "Crash-free users 99.70% (99.57–99.79) on Wed, Jan 27, 2016; target 99.5%. "
                + "Change: −0.21 pp vs. Wed, Jan 20, 2016.")
    }

    @Test func earlierDayThatMayStillChangeIsNamed() {
        let report = AppAnalysis.make(.make(health: [.make(1), .make(0)]))
        let document = daySummary(of: .back(1), report, .absent, isDemo: false)
        #expect(document.freshness == "Data as of Thu, Jan 28, 2016, 06:30 UTC; provisional.")
    }

    @Test func dayWithoutIssuesFoldsNothing() {
        let document = ofDay(.make(knows: [.users], health: [.make(users: 900, crashedUsers: 0)]))
        #expect(document.folded.isEmpty && document.foldedTitle.isEmpty && document.issues.isEmpty)
        #expect(document.sentences.last == "Issues by day not available: 'files' doesn't provide them.")
    }

    @Test func releaseHasASummaryOfItsOwn() throws {
        let report = AppAnalysis.make(Self.source)
        let document = SummaryDocument(
            AppPages(report, site: site).inputs(of: try #require(report.releases.all.first)), .absent,
            isDemo: true)
        #expect(document.title == "Sketchbook 1.1 (7), released Tue, Jan 26, 2016")
        #expect(document.shareHeading == "Share of 1.1" && document.issuesHeading == "Top issues of 1.1")
        #expect(
            document.sentences.map { plain($0) } == [
                "No rate: no crash data.",
                "Verdict: Unknown. Crashed sessions of 1.1 not reported, or reported as more than all its sessions.",
                "Session adoption 3.33% on Wed, Jan 27, 2016.",
                "Adoption: Low, 3.33% of sessions (2.98–3.72) on Wed, Jan 27, 2016.",
            ])
        #expect(document.issues.map { plain($0.share) } == ["3.0% of sessions of 1.1"])
        #expect(document.isDemo && document.pageStem == nil)
    }
}
