import Analysis
import AppHealth
import Charts
import Diagnostics
import HistoryFixtures
import Testing

@testable import Pages

/// Pages for those who may not see counts.
struct AudienceTests {
    private static func report(_ audience: Audience) -> AppAnalysis {
        let days = (0..<40).map { back in
            HealthDay.make(
                back, sessions: 51_234 + back, crashed: back == 0 ? 4_321 : 123, users: 23_456 + back,
                crashedUsers: back == 0 ? 3_210 : 98)
        }
        let byRelease = (0..<20).map { HealthDay.make($0, of: "4.0", sessions: 12_345, crashed: 55) }
        let issues = [
            AppHealth.Issue(
                id: "i-1", title: "Stack of secrets", place: CodePlace(file: "Vault.swift", line: 3),
                firstSeen: .noon(back: 2), firstVersion: Version("4.0"), events: 7_777, users: 6_666)
        ]
        let source = SourceHistory.make(
            health: days + byRelease,
            usage: (0..<40).map {
                UsageDay(
                    date: .back($0), activeUsers: 23_456 + $0, monthlyActiveUsers: 98_765, newUsers: 1_234)
            }, releases: [Release(version: Version("4.0"), releasedAt: .noon(back: 19))], issues: issues,
            issueDays: (0..<30).map { .make("i-1", $0, events: 1_000 + $0, users: 2_222 + $0) })
        return AppAnalysis(
            AppHistory(app: AppHistory.make(named: "Sketchbook").app, sources: [source]),
            targets: .standard, asOf: reportTime, audience: audience)
    }

    private static func facts(_ audience: Audience) -> SiteFacts {
        var facts = site
        facts.audience = audience
        return facts
    }

    @Test func ratesStayAndCountsGo() throws {
        let audience = Audience(.public)
        let page = AppPages(Self.report(audience), site: Self.facts(audience)).overview
        #expect(page.tiles.map(\.label) == ["Crash-free users", "Crash-free sessions"])
        #expect(page.tiles.allSatisfy { $0.interval != nil && $0.value.contains("%") })
        #expect(page.tiles[0].detail == "of users on Wed, Jan 27, 2016")
        #expect(page.issues.map(\.users) == ["hidden"] && page.issues.map(\.events) == ["hidden"])
        #expect(page.issues.allSatisfy { $0.share?.contains("%") == true && $0.place == nil })
        #expect(page.budget.map { $0.facts.map(\.name) } == ["Window", "Remaining", "Day-to-day variance"])
        #expect(
            page.frame.isPublic && page.frame.hidden?.hasPrefix("Hidden on this site: counts") == true)
    }

    @Test func countsOfSentencesAreNotInThem() {
        let report = Self.report(Audience(.public))
        let summary = daySummary(of: lastDay, report, .absent, isDemo: false)
        let texts =
            summary.sentences + report.feed.map(\.text)
            + [
                report.lastDay.summary.flatMap { coverageText($0, in: AppScope(report.facts, .absent)) },
                AppPages(report, site: Self.facts(Audience(.public))).issues.covering,
            ].compactMap(\.self)
        for text in texts {
            #expect(text.firstMatch(of: /[0-9],[0-9]{3}/) == nil, "\(text)")
            #expect(!text.contains("hidden"), "\(text)")
        }
        let team = daySummary(of: lastDay, Self.report(.team), .absent, isDemo: false)
        #expect(team.sentences.contains { $0.firstMatch(of: /[0-9],[0-9]{3}/) != nil })
        #expect(team.sentences.count == summary.sentences.count)
    }

    /// How likely none is follows from the count that is expected: where about six are, it is 0.004.
    @Test(arguments: [(Audience.team, "(p = 0.004)"), (Audience(.public), "(p < 0.01)")])
    func chancesRevealNoHiddenCount(audience: Audience, chance: String) throws {
        let source = SourceHistory.make(
            health: (0..<60).map { .make($0, sessions: 10_000) }, issues: [Issue(id: "a", title: "A")],
            issueDays: (6..<60).map { .make("a", $0, events: 1, users: nil) })
        let report = AppAnalysis(
            .make(source), targets: .standard, asOf: reportTime, audience: audience)
        let issue = try #require(report.issues.all.first)
        let facts = AppScope(report.facts, .absent).trendFacts(issue.window.trend)
        let gone = try #require(facts.first { $0.name == "Gone" }?.value.replacing("\u{A0}", with: " "))
        #expect(gone.hasSuffix(chance), "\(gone)")
    }

    @Test func chartsOfCountsBecomeAnIndexOfTheHighestDay() throws {
        let page = AppPages(Self.report(Audience(.public)), site: Self.facts(Audience(.public))).usage
        let chart = try #require(page.chart)
        #expect(chart.chart.title == "Active users, 90 days, 100 = the highest day")
        let values = chart.chart.table.rows.compactMap { Int($0[1]) }
        #expect(values.max() == 100 && values.allSatisfy { (99...100).contains($0) })
        #expect(page.rows.isEmpty && page.hidesCounts && page.tiles.map(\.label) == ["Stickiness"])
    }

    /// Rates are those that the pages show: they are made from coarse counts already.
    @Test func dataHaveTheRatesOfThePagesAndNoCounts() {
        let audience = Audience(.public)
        let report = Self.report(audience)
        let document = DataDocument(
            title: "", capturedAt: nil, site: Self.facts(audience),
            tables: [
                report.stability.table(of: report.facts.days), report.issues.table, report.releases.table,
                report.usage.table(with: report.stability),
                report.lastDay.budgetTable,
            ])
        for table in document.tables {
            for column in ["sessions", "users", "crashedUsers", "events", "total", "spent", "activeUsers"] {
                #expect(!table.columns.contains(column), "\(table.name)")
            }
            for row in table.rows { #expect(row.count == table.columns.count) }
        }
        let days = document.tables[0]
        let last = days.rows.first { $0[0] == .text(lastDay.description) } ?? []
        let crashed = report.day(lastDay).health?.crashedUserShare
        let rates = zip(days.columns, last).filter { $0.0.hasPrefix("crashFreeUsers") }.map(\.1)
        #expect(crashed != nil && rates == rateCells(crashed))
    }

    /// A large app has three decimals of a percent.
    @Test(arguments: [(61_234, 20), (48_759, 115), (1_234_567, 407), (3_210, 7), (401, 3), (61_234, 0)])
    func chartsShowTheRateOfTheHeadline(users: Int, crashed: Int) throws {
        let audience = Audience(.public)
        let health = (0..<40).map {
            HealthDay.make($0, sessions: users * 2, crashed: crashed, users: users, crashedUsers: crashed)
        }
        let report = AppAnalysis(
            AppHistory(app: AppHistory.make(named: "Sketchbook").app, sources: [.make(health: health)]),
            targets: .standard, asOf: reportTime, audience: audience)
        let page = AppPages(report, site: Self.facts(audience)).overview
        let (tile, chart) = (page.tiles[0], try #require(page.stability).chart)
        #expect(chart.description.contains("latest \(tile.value)"), "\(tile.value): \(chart.description)")
        let (row, interval) = (try #require(chart.table.rows.last), try #require(tile.interval))
        #expect(row.contains(tile.value) && row.contains(interval), "\(tile): \(row)")
        #expect(page.mismatches(report.facts, []).isEmpty)
    }
}
