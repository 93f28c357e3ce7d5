import Analysis
import AppHealth
import HistoryFixtures
import Testing

@testable import Pages

struct QuietDayTests {
    private static func history(crashed: Int = 5, notes: [Note] = [], back: Int = 0) -> SourceHistory {
        .make(
            capturedAt: reportTime,
            health: [.make(back, sessions: 52_149, crashed: 30, users: 20_000, crashedUsers: crashed)],
            releases: [Release(version: Version("1.0"), releasedAt: .noon(back: 9))],
            issues: [Issue(id: "a", title: "A", firstSeen: .noon(back: 40))], notes: notes)
    }

    @Test func quietDaySaysHowMuchWasLookedAt() throws {
        let report = AppAnalysis.make(Self.history())
        let line =
            "All quiet on Wed, Jan 27, 2016. Checked 52,149 sessions, 1 issue and 1 release. "
            + "Data as of Thu, Jan 28, 2016, 06:30 UTC; the day is provisional."
        #expect(AppPages(report, site: site).day(lastDay).quiet == line)
        #expect(AppPages(report, site: site).overview.quiet == line)
        let summary = daySummary(of: lastDay, report, .absent, isDemo: false)
        #expect(summary.sentences.contains(line))
        #expect(PortfolioPage([AppSummaryRow(report)], introduction: nil, site: site).quiet == line)
    }

    @Test(arguments: [
        history(crashed: 5000),
        history(notes: [Note(id: "n", at: .noon(back: 0), author: "A", text: "t", subject: .app)]),
        .make(), .make(capturedAt: nil),
    ]) func otherDaysDoNot(source: SourceHistory) {
        let report = AppAnalysis.make(source)
        #expect(AppPages(report, site: site).overview.quiet == nil)
        #expect(AppPages(report, site: site).day(lastDay).quiet == nil)
        let quiet = AppSummaryRow(AppAnalysis.make(Self.history(), named: "Other"))
        #expect(
            PortfolioPage([AppSummaryRow(report), quiet], introduction: nil, site: site).quiet == nil
        )
    }

    @Test(arguments: [
        (
            0,
            "All quiet on Wed, Jan 27, 2016. Checked 104,298 sessions, 2 issues and 2 releases of 2 apps. "
                + "Data as of 06:30 UTC; the data is provisional."
        ),
        (
            1,
            "All quiet on the last complete day of each app. Checked 104,298 sessions, 2 issues and 2 releases of "
                + "2 apps. Data as of 06:30 UTC; the data is provisional."
        ),
    ]) func appsAreReportedTogether(back: Int, text: String) {
        let digests = [
            AppSummaryRow(AppAnalysis.make(Self.history())),
            AppSummaryRow(AppAnalysis.make(Self.history(back: back), named: "Other")),
        ]
        #expect(PortfolioPage(digests, introduction: nil, site: site).quiet == text)
    }
}
