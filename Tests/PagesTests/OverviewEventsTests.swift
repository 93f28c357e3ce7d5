import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// What lasts is on the overview of an app and among the newest events of a site, however much is new.
struct OverviewEventsTests {
    /// Five notes on each of the last three days.
    private static let notes = (0..<15).map {
        Note(id: "\($0)", at: .noon(back: $0 / 5), author: "", text: "", subject: .app)
    }

    /// The days back with many crashes, and whether their alert is open.
    @Test(arguments: [(0..<4, true), (20..<22, false)])
    func anOpenAlertIsNotPushedOut(many: Range<Int>, isOpen: Bool) {
        let health = (0...60).map {
            HealthDay.make($0, users: 10_000, crashedUsers: many.contains($0) ? 600 : 50)
        }
        let report = AppAnalysis.make(.make(health: health, notes: Self.notes))
        let overview = AppPages(report, site: site).overview
        let home = PortfolioPage([AppSummaryRow(report)], introduction: nil, site: site)
        for (events, count) in [(overview.events, 6), (home.events, 12)] {
            let kinds = events.map(\.kind)
            #expect(events.count == count)
            #expect(kinds.filter { $0 == "Stability Alert" }.count == (isOpen ? 1 : 0), "\(kinds)")
            #expect(events.map(\.date) == events.map(\.date).sorted(by: >))
        }
    }

    @Test func theVerdictThatStopsAReleaseInUseIsNotPushedOut() {
        let health = (0...20).flatMap { back -> [HealthDay] in
            [
                .make(back, sessions: 10_000, crashed: back < 9 ? 40 : 5),
                .make(back, of: "1.0", sessions: back < 9 ? 9_000 : 10_000, crashed: 5),
            ] + (back < 9 ? [.make(back, of: "1.1", sessions: 1_000, crashed: 35)] : [])
        }
        let releases = ["1.1", "1.0"].map { Release(version: Version($0), releasedAt: .noon(back: 8)) }
        let report = AppAnalysis.make(.make(health: health, releases: releases, notes: Self.notes))
        #expect(report.releases.held.map(\.label) == ["1.1"])
        let kinds = AppPages(report, site: site).overview.events.map(\.kind)
        #expect(kinds.count == 6 && kinds.contains("Release Verdict"), "\(kinds)")
    }
}
