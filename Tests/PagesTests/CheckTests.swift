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

    @Test func rightPagesHaveNothingToReport() {
        #expect(Self.report.mismatches(in: AppPage(Self.report, site: site)) == [])
        #expect(Self.report.mismatches(in: UsagePage(Self.report, site: site)) == [])
        #expect(Self.report.mismatches(in: DayPage(lastDay, Self.report, site: site), lastDay) == [])
        for release in Self.report.releases.all {
            #expect(Self.report.mismatches(in: ReleasePage(release, Self.report, site: site)) == [])
        }
        let portfolio = PortfolioPage(
            [AppSummaryRow(Self.report), AppSummaryRow(.make(Self.source, named: "B"))], introduction: nil,
            site: site
        )
        #expect(portfolio.mismatches == [] && portfolio.chartFileMismatches == [])
    }

    @Test func tileThatIsNotItsCountsIsReported() throws {
        var page = AppPage(Self.report, site: site)
        page.tiles[0].value = "99.99%"
        let reported = try #require(Self.report.mismatches(in: page).first)
        #expect(
            reported.check == .number && reported.summary == "“Crash-free users” doesn't match its counts")
        #expect(plain(reported.first) == "shown: 99.99% (99.26–99.66)")
        #expect(plain(reported.second) == "counted: 99.50% (99.26–99.66)")
        #expect(Self.report.mismatches(in: page).count == 1)
    }

    @Test func lineThatEndsElsewhereIsReported() throws {
        var page = AppPage(Self.report, site: site)
        let other = AppAnalysis.make(.make(health: [.make(0, users: 5000, crashedUsers: 26)]))
        page.stability = other.stabilityChart()
        let reported = Self.report.mismatches(in: page)
        #expect(reported.map(\.check) == [.lastPoint])
        #expect(
            reported.map(\.first) == ["last point: 0.9948"] && reported.map(\.second) == ["figure: 0.995"])
        var portfolio = PortfolioPage([AppSummaryRow(Self.report)], introduction: nil, site: site)
        portfolio.apps[0].sparkline = other.stabilitySparkline()
        #expect(portfolio.mismatches.map(\.check) == [.lastPoint])
    }

    @Test func revisionThatIsNotItsCountsIsReported() {
        var page = DayPage(lastDay, Self.report, site: site)
        page.revisions[4].known = "1%"
        #expect(Self.report.mismatches(in: page, lastDay).map(\.check) == [.number])
    }

    @Test func shareOutOfBoundsIsReported() {
        let table = DataTable(
            "health", columns: ["crashFree"], rows: [[.rate(1.5)], [.rate(-0.1)], [.rate(.nan)], [.rate(1)]])
        let document = DataDocument(title: "A", site: site, tables: [table])
        #expect(shareMismatches(document).map(\.first) == ["value: 1.5", "value: -0.1", "value: nan"])
    }

    @Test(arguments: [(100, 0, true), (101, 0, false), (105, 0.05, true), (106, 0.05, false)])
    func releasesFitIntoTheTotal(sum: Int, tolerance: Double, isRight: Bool) {
        let releases = ["1.0": 60, "1.1": sum - 60]
        let reported = totalMismatch(
            sessions: 100, ofReleases: releases, tolerance: tolerance, when: "on a day")
        #expect((reported == nil) == isRight)
        #expect(totalMismatch(sessions: nil, ofReleases: releases, tolerance: 0, when: "") == nil)
        #expect(totalMismatch(sessions: 0, ofReleases: [:], tolerance: 0, when: "") == nil)
        #expect(
            totalMismatch(sessions: 1, ofReleases: ["a": .max, "b": .max], tolerance: 0, when: "")?.check
                == .total)
    }

    @Test func totalsOfADayAreReportedOnItsPageAndOnTheOverview() {
        var source = Self.source
        source.health[2].sessions = 12_001
        source.issues = [Issue(id: "a", title: "A")]
        source.issueDays = [.make("a", events: 9000, users: 5001)]
        let report = AppAnalysis.make(source)
        let app = report.mismatches(in: AppPage(report, site: site))
        let day = report.mismatches(in: DayPage(lastDay, report, site: site), lastDay)
        #expect(app == day && day.map(\.check) == [.total, .total])
        #expect(day.map(\.first) == ["sum of releases: 12,001", "users of the issue: 5,001"])
    }

    @Test func fileThatIsNotItsTableIsReported() throws {
        let chart = Self.report.stabilityChart()
        let file = try #require(chart.files.last)
        #expect(file.name.hasSuffix(".csv") && chart.fileMismatch == nil)
        #expect(chartFileMismatch(chart.chart, csv: file.text) == nil)
        let changed = file.text.replacing(",0.995,", with: ",0.985,")
        let reported = try #require(chartFileMismatch(chart.chart, csv: changed))
        #expect(reported.check == .chartFile && plain(reported.first) == "table: 99.50%")
        #expect(plain(reported.second) == "file: 98.50%")
        let short = file.text.split(separator: "\r\n").dropLast().joined(separator: "\r\n") + "\r\n"
        #expect(chartFileMismatch(chart.chart, csv: short)?.second == "file: 89 rows")
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

    fileprivate func stabilityChart() -> ChartView { scope.stabilityChart(self) }

    fileprivate func stabilitySparkline() -> ChartView { scope.stabilitySparkline(stability, lastDay) }
}
