import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// Days of which some events belong to no listed issue, as of one that was deleted: how many of them are crashes is not known.
struct UnlistedEventsTests {
    /// Three crashes a day, of which the newest days are such ones.
    private static func report(open: Int) -> AppAnalysis {
        let known = CivilDate.back(59) ... .back(open)
        let part = Coverage.partial(counted: 1, of: nil)
        let unknown = open > 0 ? [CoverageSpan(.issueDays, .back(open - 1) ... .back(0), part)] : []
        return .make(
            .make(
                knows: [.issues, .issueDays],
                health: (open..<60).map { HealthDay(date: .back($0), crashes: 3) },
                issues: [AppHealth.Issue(id: "a", title: "A", firstSeen: .noon(back: 80))],
                issueDays: (0..<60).map { .make("a", $0, events: 3, users: nil) },
                coverage: [CoverageSpan(.issueDays, known), CoverageSpan(.crashes, known)] + unknown))
    }

    /// The headline is that of the newest day whose crashes are known, with its date, and with it as its state where the
    /// source went on for longer than it is usually late.
    @Test(
        arguments: [
            (0, "Wed, Jan 27, 2016", nil), (1, "Tue, Jan 26, 2016", nil),
            (3, "Sun, Jan 24, 2016", "As of Sun, Jan 24, 2016"),
        ] as [(Int, String, String?)])
    func theHeadlineIsOfTheNewestKnownDay(open: Int, day: String, state: String?) throws {
        let report = Self.report(open: open)
        let page = AppPages(report, site: site).overview
        let crashes = try #require(page.tiles.first)
        #expect(crashes.label == "Crashes" && crashes.value == "3" && crashes.detail == "on \(day)")
        #expect(crashes.state == .loaded && crashes.stateNote == state)
        #expect(page.verdict.why.hasPrefix("3 crashes on \(day). "))
        #expect(AppSummaryRow(report).line.contains("3 crashes on \(day)"))
        #expect(report.facts.lastDay == .back(open))
    }

    /// Where a list is whole now and then, a report goes on with the days between.
    @Test(arguments: [(1, 3), (7, 0)]) func fewKnownDaysKeepNoReportBack(every: Int, last: Int) {
        let known = (3..<60).filter { ($0 - 3) % every == 0 }
        let part = Coverage.partial(counted: 1, of: nil)
        let report = AppAnalysis.make(
            .make(
                knows: [.issues, .issueDays],
                health: known.map { HealthDay(date: .back($0), crashes: 3) },
                issues: [AppHealth.Issue(id: "a", title: "A", firstSeen: .noon(back: 80))],
                issueDays: (0..<60).map { .make("a", $0, events: 3, users: nil) },
                coverage: (0..<60).flatMap { back -> [CoverageSpan] in
                    let day = CivilDate.back(back) ... .back(back)
                    guard known.contains(back) else { return [CoverageSpan(.issueDays, day, part)] }
                    return [CoverageSpan(.issueDays, day), CoverageSpan(.crashes, day)]
                }))
        #expect(report.facts.lastDay == .back(last))
    }

    /// The page of such a day says why there is no number, as does an overview that has had none for long.
    @Test(arguments: [1, 9]) func theReasonIsWhereTheNumberWouldBe(open: Int) throws {
        let report = Self.report(open: open)
        let reason = "some events of Wed, Jan 27, 2016 belong to no listed issue, so its crashes are unknown"
        let day = AppPages(report, site: site).day(lastDay)
        #expect(day.verdict.why.hasPrefix("Some\(reason.dropFirst(4)). "), "\(day.verdict.why)")
        #expect(report.stability.crashCount(on: lastDay) == .absent(.unlistedEvents(lastDay)))
        guard open > 7 else { return }
        let tile = try #require(AppPages(report, site: site).overview.tiles.first)
        #expect(tile.value == "–" && tile.stateNote == "Not available: \(reason)")
    }
}
