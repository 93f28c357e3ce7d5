import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// A report begins with the fifth year before that of its last day: if its first day moved each night, so would all pages.
struct ReportSpanTests {
    @Test(arguments: [
        ("2026-11-25", "2021-01-01"), ("2026-12-31", "2021-01-01"), ("2027-01-01", "2022-01-01"),
        ("2028-02-29", "2023-01-01"), ("0003-02-01", "0001-01-01"),
    ])
    func aReportBeginsWithAYear(last: String, first: String) throws {
        let last = try #require(CivilDate(last))
        let health = (0..<2_400).reversed().map { back in
            HealthDay(date: last.advanced(by: -back), sessions: 1_000, crashedSessions: 9)
        }
        let app = AppHistory.make().app
        let analysis = AppAnalysis(
            AppHistory(app: app, sources: [.make(health: health)]), targets: .standard,
            asOf: Instant(startOf: last.advanced(by: 1)).advanced(bySeconds: 6 * 3600))
        #expect(analysis.facts.days.first?.description == first)
        #expect(analysis.facts.days.last == last)
        #expect(analysis.facts.days.count <= HistoryIndex.longestSpan)
    }
}
