import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

struct UsageTests {
    @Test func tilesGiveTheLastDayThatTheSourceKnows() {
        let source = SourceHistory.make(
            health: [.make(0, sessions: 90), .make(1, sessions: 80)],
            usage: [
                UsageDay(
                    date: .back(1), activeUsers: 50, weeklyActiveUsers: 120, monthlyActiveUsers: 400,
                    newUsers: 0),
                // The day of the report is not over.
                UsageDay(date: .back(-1), activeUsers: 3),
            ])
        let page = AppPages(.make(source), site: site).usage
        #expect(page.tiles.map { plain($0.value) } == ["50", "120", "400", "12.5%", "0"])
        #expect(page.tiles.first?.detail == "on Tue, Jan 26, 2016")
        #expect(page.rows.count == 28 && page.unavailable == nil)
        #expect(
            page.rows.prefix(3).map(\.date) == [
                "2016-01-27", "2016-01-26", "2016-01-25",
            ])
        #expect(page.rows.prefix(3).map(\.daily) == ["–", "50", "–"])
        #expect(page.rows.prefix(3).map(\.sessions) == ["90", "80", "–"])
        #expect(page.rows.prefix(3).map { plain($0.stickiness) } == ["–", "12.5%", "–"])
    }

    @Test(
        arguments: [
            (
                .make("bugsnag", knows: [.sessions], health: [.make(sessions: 9)]),
                "Active users not available: 'bugsnag' doesn't provide them.",
                "Not available: 'bugsnag' doesn't provide this"
            ),
            (
                .make(capturedAt: nil, failure: timeout),
                "Couldn't fetch the source: No answer within 30 seconds.",
                "Failed: No answer within 30 seconds"
            ),
            (SourceHistory(source: .make()), "No source fetched yet.", "Not available: never fetched"),
            (.make(), nil, "Not available: no data for Wed, Jan 27, 2016"),
        ] as [(SourceHistory, String?, String)])
    func usageThatIsNotKnownSaysWhy(source: SourceHistory, why: String?, note: String) {
        let page = AppPages(.make(source), site: site).usage
        #expect(page.unavailable == why)
        #expect(Set(page.tiles.map(\.stateNote)) == [note])
        #expect(page.tiles.allSatisfy { $0.value == "–" })
        #expect((page.chart == nil) == (why != nil))
        #expect(page.rows.allSatisfy { $0.daily == "–" && $0.stickiness == "–" })
    }

    /// Users of the rates are active ones where no source reports use, as everywhere else.
    @Test func usersOfTheRatesAreActiveUsers() throws {
        let source = SourceHistory.make(
            knows: [.sessions, .users],
            health: (0...9).map { .make($0, sessions: 900, crashed: 4, users: 50 + $0, crashedUsers: 2) })
        let pages = AppPages(.make(source), site: site)
        let page = pages.usage
        let why = "Not available: 'files' doesn't provide this"
        #expect(page.tiles.map { plain($0.value) } == ["50", "–", "–", "–", "–"])
        #expect(page.tiles[1].stateNote == why && page.tiles[4].stateNote == why)
        #expect(page.unavailable == nil && page.chart != nil)
        #expect(page.rows.prefix(2).map(\.daily) == ["50", "51"])
        let overview = pages.overview
        #expect(overview.tiles.first { $0.label == "Active users" }.map { plain($0.value) } == "50")
        #expect(overview.usage != nil)
        let lacking = try #require(overview.sources.first?.cannotKnow)
        #expect(lacking.contains("weekly, monthly and new users") && !lacking.contains("active users"))
        let rows = AppAnalysis.make(source).usage.table(with: AppAnalysis.make(source).stability).rows
        #expect(rows.count == 10 && rows.last?.prefix(2) == [.text("2016-01-27"), .count(50)])
        #expect(pages.mismatches(in: page).isEmpty)
    }

    /// A source of use may count sessions where the one of the rates counts users alone, as GA4 does by itself.
    @Test(arguments: [true, false]) func sessionsOfUseAreOnPagesNextToRatesOfUsers(isOneSource: Bool) throws {
        let health = (0...9).map { HealthDay.make($0, users: 1000, crashedUsers: 4) }
        let usage = (0...9).reversed().map {
            UsageDay(date: .back($0), activeUsers: 1100, sessions: 5000 - $0)
        }
        let sources =
            isOneSource
            ? [SourceHistory.make("ga4", knows: [.users, .usage], health: health, usage: usage)]
            : [
                .make("crashes", knows: [.users], health: health),
                .make("use", knows: [.usage], usage: usage),
            ]
        let app = App(id: Slug(anyText: "quay"), name: "Quay", platform: "")
        let report = AppAnalysis(
            AppHistory(app: app, sources: sources), targets: .standard, asOf: reportTime)
        let pages = AppPages(report, site: site)
        #expect(pages.usage.sessions != nil && pages.usage.sessionsUnavailable == nil)
        #expect(pages.usage.rows.prefix(2).map(\.sessions) == ["5,000", "4,999"])
        let tile = try #require(pages.overview.tiles.first { $0.label == "Sessions" })
        #expect(plain(tile.value) == "5,000" && tile.change != nil)
        let rows = report.usage.table(with: report.stability).rows
        #expect(rows.count == 10 && rows.last?[5] == .count(5000))
        #expect(pages.mismatches(in: pages.usage).isEmpty)
    }

    /// New users that another source counts have a day and a coverage of their own.
    @Test func newUsersAreOfTheLastDayOfTheirSource() throws {
        let web = SourceHistory.make(
            "web", knows: [.usage],
            usage: (0..<30).reversed().map { UsageDay(date: .back($0), activeUsers: 9000) })
        let store = SourceHistory.make(
            "store", knows: [.usage],
            usage: (2..<30).reversed().map { UsageDay(date: .back($0), newUsers: 174) },
            coverage: [CoverageSpan(.usage, .back(29) ... .back(2), .partial(counted: nil, of: nil))])
        let report = AppAnalysis(.make(web, store), targets: .standard, asOf: reportTime)
        let pages = AppPages(report, site: site)
        let tile = try #require(pages.usage.tiles.last)
        #expect(plain(tile.value) == "174" && tile.detail == "on Mon, Jan 25, 2016")
        #expect(pages.usage.tiles.first?.detail == "on Wed, Jan 27, 2016")
        #expect(
            pages.usage.partial
                == "New users: partial coverage on 26 of 28 days: counts of these days are too low.")
        let rows = report.usage.table(with: report.stability).rows
        #expect(
            rows.suffix(3).compactMap(\.last) == [.text("partial"), .text("complete"), .text("complete")])
        #expect(pages.mismatches(in: pages.usage).isEmpty)
    }

    /// The data file has the days and the sessions of the page, whichever source they are of.
    @Test func dataHaveTheSessionsOfThePage() {
        let crashes = SourceHistory.make(
            "crashes", knows: [.sessions], health: (0...3).map { .make($0, sessions: 1000 + $0, crashed: 4) })
        let use = SourceHistory.make(
            "use", knows: [.usage],
            usage: (1...3).map { UsageDay(date: .back($0), activeUsers: 400, sessions: 7000) })
        let report = AppAnalysis(.make(crashes, use), targets: .standard, asOf: reportTime)
        let rows = report.usage.table(with: report.stability).rows
        let page = AppPages(report, site: site).usage.rows
        #expect(rows.map { $0[5] } == [.count(1003), .count(1002), .count(1001), .count(1000)])
        #expect(rows.map(\.first) == page.prefix(4).reversed().map { .text($0.date) })
        let alone = AppAnalysis(.make(use), targets: .standard, asOf: reportTime)
        #expect(alone.usage.table(with: alone.stability).rows.allSatisfy { $0[5] == .count(7000) })
    }

    @Test func monthWithoutUsersHasNoStickiness() {
        for month in [nil, 0, 3] {
            let day = UsageDay(date: lastDay, activeUsers: 5, monthlyActiveUsers: month)
            let page = AppPages(.make(.make(usage: [day])), site: site).usage
            #expect(page.tiles[3].value == "–" && page.tiles[3].state == .unavailable)
            #expect(page.rows.first?.stickiness == "–")
        }
    }
}
