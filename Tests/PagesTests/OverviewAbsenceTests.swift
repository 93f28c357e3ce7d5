import Analysis
import AppHealth
import HistoryFixtures
import Pages
import Testing

/// What an overview has in the place of a chart that no source has figures for.
struct OverviewAbsenceTests {
    /// What the source knows, the crashes of its last day, and why there is no chart; nil when there is one.
    @Test(
        arguments: [
            (.all, nil, nil), (.all, 20, nil),
            // Crashes by day are there for a rate.
            ([.issues], 20, nil),
            // Of a part of all issues no total follows, and an empty chart of rates would say nothing.
            ([.issues, .issueDays], nil, "Sessions not available: files doesn't provide them."),
            ([], nil, "Sessions not available: files doesn't provide them."),
        ] as [(Set<Capability>, Int?, String?)])
    func chartIsThereWhereASourceHasFigures(knows: Set<Capability>, crashes: Int?, absence: String?) {
        let health = crashes.map { count in
            HealthDay(
                date: .back(0), users: knows == .all ? 1_000 : nil,
                crashedUsers: knows == .all ? 5 : nil, crashes: count)
        }
        let analysis = AppAnalysis.make(.make(knows: knows, health: [health].compactMap(\.self)))
        let page = AppPages(analysis, site: site).overview
        #expect((page.stability == nil) == (absence != nil))
        #expect(plain(page.stabilityAbsence) == absence)
        #expect(page.charts.isEmpty == (absence != nil && page.usage == nil))
        let budget = "Error budget not available: no source provides sessions or users."
        #expect((page.budgetAbsence == budget) == (knows != .all))
    }

    @Test func sourceThatWasNeverFetchedIsNamed() {
        let page = AppPages(AppAnalysis.make(SourceHistory(source: .make())), site: site).overview
        #expect(page.stability == nil)
        #expect(page.stabilityAbsence == "No source fetched yet.")
        #expect(page.budgetAbsence == "Error budget: no data for these days.")
    }
}
