import Analysis
import AppHealth
import Charts
import Diagnostics
import HistoryFixtures
import Pages
import Testing

struct PortfolioTests {
    private func digest(
        _ name: String, _ crashed: Int?, of users: Int = 10_000, notes: [Note] = [], failure: Bool = false
    )
        -> AppSummaryRow
    {
        AppSummaryRow(
            AppAnalysis.make(
                .make(
                    failure: failure ? timeout : nil,
                    health: crashed.map { [.make(users: users, crashedUsers: $0)] } ?? [], notes: notes),
                named: name
            ))
    }

    @Test func appsThatNeedAttentionComeFirst() {
        let digests = [
            digest("Meets", 10), digest("Few", 1, of: 40), digest("Misses", 120), digest("Unknown", nil),
            digest("Critical", 900), digest("Alarmed", 10, failure: true), digest("Able", 10),
        ]
        let expected = ["Critical", "Misses", "Alarmed", "Unknown", "Few", "Able", "Meets"]
        for order in [digests, digests.reversed()] {
            let page = PortfolioPage(order, introduction: nil, site: site)
            #expect(page.apps.map(\.name) == expected)
            #expect(page.apps.map(\.openAlerts) == [0, 0, 1, 0, 0, 0, 0])
            #expect(
                page.state.headline
                    == "Critical is critical. Misses is below target. 2 of 7 apps meet their target.")
            #expect(page.state.details?.hasPrefix("Not enough data: Few. No crash-free rate") == true)
            #expect(
                page.sentence
                    == "Critical is critical. Misses is below target. 2 of 7 apps meet their target. Not enough data: Few. No crash-free rate: Unknown. Stale: Alarmed (data through Wed, Jan 27, 2016). Error budget overspent: Critical, Misses."
            )
        }
    }

    /// What is both is named once, with both words.
    @Test func anAppIsNamedOnceForItsData() {
        let digests = [
            digest("Old", 10, failure: true), digest("Few", 1, of: 40),
            digest("Both", 1, of: 40, failure: true),
        ]
        #expect(
            PortfolioPage(digests, introduction: nil, site: site).sentence
                == "Not enough data: Few. Not enough data and stale: Both (data through Wed, Jan 27, 2016). Stale: Old (data through Wed, Jan 27, 2016)."
        )
    }

    /// However many apps a site has, a sentence names three of a status.
    @Test(arguments: [(3, "A0 is critical. A1 is critical. A2 is critical."), (4, "4 apps are critical.")])
    func aSentenceNamesFewApps(count: Int, start: String) {
        let apps = (0..<count).map { digest("A\($0)", 900) }
        let sentence = PortfolioPage(apps, introduction: nil, site: site).sentence
        #expect(sentence.hasPrefix("\(start) Error budget overspent: "), "\(sentence)")
    }

    /// A part of the budget is of a part of its days.
    @Test(arguments: [(1, "96% remaining; data for 1 of 28 days"), (28, "96% remaining")])
    func budgetOfARowSaysHowManyDaysItHas(days: Int, text: String) {
        let health = (0..<days).map { HealthDay.make($0, users: 10_000, crashedUsers: 2) }
        let row = AppSummaryRow(AppAnalysis.make(.make(health: health)))
        #expect(PortfolioPage([row], introduction: nil, site: site).apps.map(\.budget) == [text])
    }

    /// Of less than one that is allowed, a percentage says nothing: the row and the overview have the count. Where counts
    /// are hidden there is the percentage.
    @Test(
        arguments: [
            (1, 1, 1, "overspent by 1; data for 1 of 28 days"), (28, 3, 1, "overspent by 28"),
            (1, 10_000, 60, "overspent by 20%; data for 1 of 28 days"),
        ])
    func aBudgetOfLessThanOneIsOverspentByACount(
        days: Int, users: Int, crashed: Int, text: String
    ) {
        let health = (0..<days).map { HealthDay.make($0, users: users, crashedUsers: crashed) }
        func row(for audience: Audience) -> String? {
            let analysis = AppAnalysis(
                .make(.make(health: health)), targets: .standard, asOf: reportTime, audience: audience)
            let page = PortfolioPage([AppSummaryRow(analysis)], introduction: nil, site: site)
            #expect(AppPages(analysis, site: site).overview.budget?.brief == page.apps.first?.budget)
            return page.apps.first?.budget
        }
        #expect(row(for: .team) == text)
        #expect(row(for: Audience(.public))?.contains("%") == true)
    }

    /// A target that was met is not met by old data; a rate below it stays one. The entry page, the overview, the badge and
    /// the summary of a run agree.
    @Test(
        arguments: [
            (10, timeout, 0, "unknown"), (10, nil, 60, "unknown"), (120, timeout, 0, "misses"),
            (900, timeout, 0, "critical"),
        ] as [(Int, Diagnostic?, Int, String)])
    func oldDataMeetNoTarget(crashed: Int, failure: Diagnostic?, days: Int, status: String) throws {
        let report = AppAnalysis.make(
            .make(failure: failure, health: [.make(users: 10_000, crashedUsers: crashed)]),
            asOf: reportTime.advanced(bySeconds: days * 86_400))
        let (row, pages) = (AppSummaryRow(report), AppPages(report, site: site))
        let page = PortfolioPage([row], introduction: nil, site: site)
        let stale = "Stale: data from Thu, Jan 28, 2016, 06:30 UTC. Crash-free users "
        #expect(row.verdictName == status && page.apps.map(\.verdict.name) == [status])
        #expect(pages.overview.verdict.name == status && pages.overview.verdict.why.hasPrefix(stale))
        #expect(row.line.contains(stale) && pages.overview.quiet == nil && page.quiet == nil)
        #expect(page.sentence.contains("Stale: Sketchbook (data through Wed, Jan 27, 2016)."))
        #expect(!page.sentence.contains("target") || status == "misses")
        // The day was what it was.
        #expect(pages.day(lastDay).verdict.name == (status == "unknown" ? "meets" : status))
    }

    /// An app without rates is shown by its crashes, or by the events of a part of its issues: both may be old as well.
    @Test(arguments: [(Coverage.complete, "5 crashes on"), (.partial(counted: 1, of: 30), "5 events on")])
    func oldCountsSaySo(coverage: Coverage, count: String) throws {
        let day = CivilDate.back(0)...CivilDate.back(0)
        let report = AppAnalysis.make(
            .make(
                knows: [.issues, .issueDays], failure: timeout, issues: [Issue(id: "a", title: "A")],
                issueDays: [.make("a", 0, events: 5, users: nil)],
                coverage: [CoverageSpan(.issueDays, day, coverage)]))
        let row = AppSummaryRow(report)
        let stale = "Stale: data from Thu, Jan 28, 2016, 06:30 UTC. \(count) Wed, Jan 27, 2016"
        let overview = AppPages(report, site: site).overview
        #expect(overview.verdict.why.hasPrefix(stale), "\(overview.verdict.why)")
        #expect(row.line.contains(stale) && row.verdictName == "unknown")
        #expect(
            PortfolioPage([row], introduction: nil, site: site).sentence
                == "Stale: Sketchbook (data through Wed, Jan 27, 2016).")
    }

    /// Of an app without rates nothing but its alert says that more crashes: the days back with many, and what is said.
    @Test(arguments: [(0..<2, " Open alert: Sketchbook."), (20..<22, "")])
    func anOpenAlertOnCrashCountsIsNamed(many: Range<Int>, named: String) {
        let health = (0..<111).map { back in
            HealthDay(date: .back(back), crashes: many.contains(back) ? 900 : 50 + back * 37 % 7)
        }
        let row = AppSummaryRow(AppAnalysis.make(.make(knows: [.issues], health: health)))
        let state = PortfolioPage([row], introduction: nil, site: site).state
        #expect(state.headline == "No crash-free rate: Sketchbook." + named && state.details == nil)
    }

    /// That a rate is below the target says it already.
    @Test func anAlertOnARateBelowTheTargetIsNotNamedAgain() {
        let health = (0...60).map { HealthDay.make($0, users: 10_000, crashedUsers: $0 < 2 ? 600 : 20) }
        let row = AppSummaryRow(AppAnalysis.make(.make(health: health)))
        let page = PortfolioPage([row], introduction: nil, site: site)
        #expect(page.apps.map(\.openAlerts) == [1] && !page.sentence.contains("Open alert"))
    }

    @Test func emptySiteSaysSo() {
        let page = PortfolioPage([], introduction: nil, site: site)
        #expect(
            page.sentence == "No apps configured." && page.frame.freshness == "No sources configured.")
        #expect(page.apps.isEmpty && page.events.isEmpty)
    }

    @Test func oneAppIsOneApp() {
        #expect(
            PortfolioPage([digest("A", 10)], introduction: nil, site: site).sentence
                == "1 of 1 app meets its target.")
    }

    /// Crashes in place of a rate say how old they are, as a rate does.
    @Test(
        arguments: [(nil, nil), (timeout, "Stale: data from Thu, Jan 28, 2016, 06:30 UTC")]
            as [(Diagnostic?, String?)])
    func crashesOfARowHaveTheirState(failure: Diagnostic?, note: String?) {
        let source = SourceHistory.make(
            knows: [.issues, .issueDays], failure: failure, issues: [AppHealth.Issue(id: "a", title: "A")],
            issueDays: [.make("a", events: 31)])
        let row = AppSummaryRow(AppAnalysis.make(source))
        let page = PortfolioPage([row], introduction: nil, site: site)
        #expect(page.apps.first?.crashes == "31 crashes")
        #expect(page.apps.first?.crashesNote == note)
    }

    @Test func rowComparesWithTheSameWeekday() {
        let source = SourceHistory.make(health: [
            .make(7, sessions: 10_000, users: 10_000, crashedUsers: 29),
            .make(0, sessions: 10_000, users: 10_000, crashedUsers: 50),
        ])
        let page = PortfolioPage(
            [AppSummaryRow(AppAnalysis.make(source))], introduction: nil, site: site)
        #expect(plain(page.apps.first?.change) == "−0.21 pp vs. Wed, Jan 20, 2016")
        #expect(page.apps.first?.release == nil && page.apps.first?.adoption == nil)
        #expect(PortfolioPage([digest("A", 10)], introduction: nil, site: site).apps.first?.change == nil)
    }

    /// Crashes by day without users or sessions, and with them.
    @Test(
        arguments: [
            (Audience.Display.shown, nil, "34 crashes", "Crashes, 28 days"),
            (.shown, 1_000, nil, "Crash-free users"),
            (.hidden, nil, nil, "Crashes, 28 days, 100 = the highest day"),
        ] as [(Audience.Display, Int?, String?, String)])
    func rowWithoutARateHasCrashes(
        counts: Audience.Display, users: Int?, crashes: String?, trend: String
    ) throws {
        let health = [20, 50, 34].enumerated().map { place, count in
            HealthDay(
                date: .back(2 - place), users: users, crashedUsers: users.map { _ in 5 }, crashes: count)
        }
        let audience = Audience(.public, counts: counts)
        let history = AppHistory.make(.make(knows: users == nil ? [.issues] : .all, health: health))
        let analysis = AppAnalysis(history, targets: .standard, asOf: reportTime, audience: audience)
        let page = PortfolioPage([AppSummaryRow(analysis)], introduction: nil, site: site)
        let row = try #require(page.apps.first)
        #expect(plain(row.crashes) == crashes)
        #expect(row.sparkline.chart.title.hasPrefix(trend), "\(row.sparkline.chart.title)")
    }

    @Test(arguments: [
        ([50, 50, 300, 300], 1), ([50, 300, 60, 50], 1), ([50, 300, 60, 50, 50], 0), ([50, 300, 60, 300], 1),
        ([50, 300, 300, 300, 300, 300, 300, 300], 1), ([50], 0),
        // It came back and went again three weeks ago.
        ([300] + [Int](repeating: 50, count: 20), 0),
    ])
    func alertIsOpenForAWeekOrUntilTheRecovery(crashed: [Int], standing: Int) {
        let past = [Int](repeating: 50, count: 60)
        let health = (past + crashed).reversed().enumerated().map {
            HealthDay.make($0, users: 10_000, crashedUsers: $1)
        }
        let page = PortfolioPage(
            [AppSummaryRow(AppAnalysis.make(.make(health: health)))], introduction: nil, site: site)
        #expect(page.apps.map(\.openAlerts) == [standing])
    }

    @Test func newestEventsOfAllAppsAreMixed() {
        func notes(_ backs: [Int]) -> [Note] {
            backs.map { Note(id: "\($0)", at: .noon(back: $0), author: "", text: "", subject: .app) }
        }
        let page = PortfolioPage(
            [digest("A", 10, notes: notes([1, 3])), digest("B", 10, notes: notes([0, 2]))], introduction: nil,
            site: site)
        #expect(page.events.map(\.app) == ["B", "A", "B", "A"])
        let many = PortfolioPage(
            [digest("A", 10, notes: notes(Array(0...30)))], introduction: nil, site: site)
        #expect(many.events.count == 12)
    }

    @Test func digestStatesTheOutcomeOfTheRun() {
        let digest = digest("Harbour", 10, failure: true)
        #expect(digest.hasTrouble && digest.verdictName == "unknown" && digest.id.text == "harbour")
        #expect(digest.sourceStates.map { "\($0.source) \($0.state)" } == ["files stale"])
        #expect(
            plain(digest.line)
                == "Harbour: Unknown. Stale: data from Thu, Jan 28, 2016, 06:30 UTC. Crash-free users 99.90% (99.82–99.95) on Wed, Jan 27, 2016; target 99.5%."
        )
    }

    /// The summaries of a night are more than the feed of many apps holds: alerts have room first, however many apps come
    /// before theirs.
    @Test func summariesOfManyAppsPushNoAlertOutOfTheFeed() throws {
        let apps = (0..<105).map { number in
            AppAnalysis.make(
                .make(
                    health: [.make(sessions: 900)], issues: [AppHealth.Issue(id: "a", title: "A")],
                    issueDays: [.make("a")]), named: "App \(number)")
        }
        let dropped = AppAnalysis.make(
            .make(
                health: .quietPast(before: 3, users: 10_000, crashedUsers: 40)
                    + (0...3).map { .make($0, users: 10_000, crashedUsers: 600) },
                issues: [AppHealth.Issue(id: "a", title: "A")],
                issueDays: (0...70).map { .make("a", $0) }), named: "Zoo")
        let alert = "zoo/stability/2016-01-24"
        #expect(dropped.feed.count == 60 && dropped.feed.map(\.id).contains(alert))
        let digests = (apps + [dropped]).map { AppSummaryRow($0) }
        let feed = feedItems(digests)
        #expect(feed.count == 100 && feed.map(\.id).contains(alert))
        #expect(feed.map(\.updated) == feed.map(\.updated).sorted(by: >))
        // One app after the other, as a build takes them.
        var (others, kept): ([FeedItem], [AppSummaryRow]) = ([], [])
        for digest in digests.reversed() {
            var digest = digest
            digest.trimFeed(among: &others)
            kept.append(digest)
        }
        #expect(feedItems(kept).map(\.id) == feed.map(\.id))
    }

    /// Sixty summaries later the alert is still in the feed of its app.
    @Test func summariesPushNoAlertOutOfTheFeedOfItsApp() throws {
        let dropped = AppAnalysis.make(
            .make(
                health: .quietPast(before: 20, from: 90, users: 10_000, crashedUsers: 40)
                    + (0...20).map { .make($0, users: 10_000, crashedUsers: 600) },
                issues: (0..<60).map {
                    AppHealth.Issue(id: "\($0)", title: "A", firstSeen: .noon(back: $0 / 6))
                },
                issueDays: (0...90).map { .make("0", $0) }))
        #expect(dropped.feed.map(\.id).contains("sketchbook/stability/2016-01-07"))
    }

    @Test func feedItemsLeadToThePageThatStatesMore() {
        let issue = Issue(id: "a", title: "A", firstSeen: .noon(back: 0))
        let notes = [Note(id: "1", at: .noon(back: 9), author: "Ada", text: "", subject: .issue("a"))]
        let feed = AppAnalysis.make(
            .make(failure: timeout, health: [.make(1), .make(0)], issues: [issue], notes: notes)
        ).feed
        #expect(
            Dictionary(feed.map { ($0.title, $0.path.stem) }, uniquingKeysWith: { first, _ in first }) == [
                "Sketchbook: Source Failure · Thu, Jan 28, 2016": "sources/index",
                "Sketchbook: New Issue · A": "apps/sketchbook/issues/a/index",
                "Sketchbook: New Note · A": "apps/sketchbook/issues/a/index",
                "Sketchbook: Top Issues Summary · Wed, Jan 27, 2016": "apps/sketchbook/days/2016-01-27/index",
                "Sketchbook: Top Issues Summary · Tue, Jan 26, 2016": "apps/sketchbook/days/2016-01-26/index",
            ])
        #expect(feed.map(\.at) == feed.map(\.at).sorted(by: >))
    }
}
