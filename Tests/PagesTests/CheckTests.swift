import Analysis
import AppHealth
import Charts
import Diagnostics
import HistoryFixtures
import Testing

@testable import Pages

/// Each fault is planted into a model that was right, and is reported.
struct CheckTests {
    private static let source = SourceHistory.make(
        health: [
            .make(1, sessions: 12_000, crashed: 30, users: 5000, crashedUsers: 20),
            .make(0, sessions: 12_000, crashed: 24, users: 5000, crashedUsers: 25),
            .make(of: "1.0", sessions: 9000, crashed: 9),
        ], usage: [UsageDay(date: lastDay, activeUsers: 5100, monthlyActiveUsers: 9000)],
        releases: [Release(version: Version("1.0"), releasedAt: .noon(back: 1))])
    private static let report = AppAnalysis.make(source)
    private static let pages = AppPages(report, site: site)

    @Test func rightPagesHaveNothingToReport() {
        #expect(Self.pages.digest.mismatches(in: Self.pages.overview) == [])
        #expect(Self.pages.mismatches(in: Self.pages.usage) == [])
        #expect(Self.pages.mismatches(in: Self.pages.day(lastDay), lastDay) == [])
        for release in Self.report.releases.all {
            #expect(Self.pages.release(release).mismatches == [])
        }
        let portfolio = PortfolioPage(
            [
                AppSummaryRow(Self.report),
                AppSummaryRow(AppAnalysis.make(Self.source, named: "B")),
            ], introduction: nil,
            site: site
        )
        #expect(portfolio.mismatches == [] && portfolio.chartFileMismatches == [])
    }

    @Test func tileThatIsNotItsCountsIsReported() throws {
        var page = Self.pages.overview
        page.tiles[0].value = "99.99%"
        let reported = try #require(Self.pages.digest.mismatches(in: page).first)
        #expect(
            reported.check == .number && reported.summary == "“Crash-free users” doesn't match its counts")
        #expect(plain(reported.first) == "shown: 99.99% (99.26–99.66)")
        #expect(plain(reported.second) == "counted: 99.50% (99.26–99.66)")
        #expect(Self.pages.digest.mismatches(in: page).count == 1)
    }

    @Test func lineThatEndsElsewhereIsReported() throws {
        var page = Self.pages.overview
        let other = AppAnalysis.make(.make(health: [.make(0, users: 5000, crashedUsers: 26)]))
        page.stability = other.stabilityChart()
        let reported = Self.pages.digest.mismatches(in: page)
        #expect(reported.map(\.check) == [.lastPoint])
        #expect(
            reported.map(\.first) == ["last point: 0.9948"] && reported.map(\.second) == ["figure: 0.995"])
        var portfolio = PortfolioPage([AppSummaryRow(Self.report)], introduction: nil, site: site)
        portfolio.apps[0].sparkline = other.stabilitySparkline()
        #expect(portfolio.mismatches.map(\.check) == [.lastPoint])
    }

    @Test func revisionThatIsNotItsCountsIsReported() {
        var page = Self.pages.day(lastDay)
        page.revisions[4].known = "1%"
        #expect(Self.pages.mismatches(in: page, lastDay).map(\.check) == [.number])
    }

    @Test func shareOutOfBoundsIsReported() {
        let table = DataTable(
            "health", columns: ["crashFree"], rows: [[.rate(1.5)], [.rate(-0.1)], [.rate(.nan)], [.rate(1)]])
        let document = DataDocument(title: "A", capturedAt: nil, site: site, tables: [table])
        #expect(shareMismatches(document).map(\.first) == ["value: 1.5", "value: -0.1", "value: nan"])
    }

    @Test func totalsOfADayAreReportedOnItsPageAndOnTheOverview() {
        var source = Self.source
        source.health[2].sessions = 12_001
        source.issues = [Issue(id: "a", title: "A")]
        source.issueDays = [.make("a", events: 9000, users: 5001)]
        let report = AppAnalysis.make(source)
        let pages = AppPages(report, site: site)
        let app = pages.digest.mismatches(in: pages.overview)
        let day = pages.mismatches(in: pages.day(lastDay), lastDay)
        #expect(app == day && day.map(\.check) == [.total, .total])
        #expect(day.map(\.first) == ["sum of releases: 12,001", "users of the issue: 5,001"])
    }

    @Test func fileThatIsNotItsTableIsReported() throws {
        let chart = Self.report.stabilityChart()
        let file = try #require(chart.files.last)
        #expect(file.name.hasSuffix(".csv") && chart.fileMismatch == nil)
        #expect(chartFileMismatch(chart.chart.title, chart.chart.table, csv: file.text) == nil)
        let changed = file.text.replacing(",0.995,", with: ",0.985,")
        let reported = try #require(chartFileMismatch(chart.chart.title, chart.chart.table, csv: changed))
        #expect(reported.check == .chartFile && plain(reported.first) == "table: 99.50%")
        #expect(plain(reported.second) == "file: 98.50%")
        let short = file.text.split(separator: "\r\n").dropLast().joined(separator: "\r\n") + "\r\n"
        #expect(
            chartFileMismatch(chart.chart.title, chart.chart.table, csv: short)?.second == "file: 89 rows")
    }

    @Test func diagnosticNamesPageCheckAndBothValues() {
        let reported = Mismatch(.total, "They do not fit", "a: 1", "b: 2").diagnostic(
            on: .app(Self.report.facts.app.id))
        #expect(reported.id == "check.total" && reported.details == ["a: 1", "b: 2"])
        #expect(reported.location?.description == "apps/sketchbook/index.html")
        #expect(reported.hints == ["run 'plimsoll explain apps/sketchbook' and compare with the source"])
    }
}

extension AppAnalysis {
    private var scope: AppScope { AppScope(facts, .absent) }

    fileprivate func stabilityChart() -> ChartView { scope.stabilityChart(stability, releases, activity) }

    fileprivate func stabilitySparkline() -> ChartView {
        scope.stabilitySparkline(stability, reportedEvents, lastDay)
    }
}
