import Analysis
import AppHealth
import HistoryFixtures
import Templates
import Testing

@testable import Pages

struct DayFinalityTests {
    @Test(arguments: [
        (
            DayFinality.ProvisionalReason.early(settlesAfterHours: 48),
            "fetched less than 48 hours after it ended"
        ),
        (.seenOnce, "one snapshot so far"),
        (.rateChanged(points: 0.3), "changed by 0.3\u{A0}pp between the last two snapshots"),
        (.rateChanged(points: 1.26), "changed by 1.3\u{A0}pp between the last two snapshots"),
        (.rateChanged(points: 0.024), "changed by 0.02\u{A0}pp between the last two snapshots"),
        (
            .countChanged(from: 1204, to: 1310),
            "a count changed from 1,204 to 1,310 between the last two snapshots"
        ),
        (.countChanged(from: nil, to: 3), "a count is new in the last snapshot"),
        (.countChanged(from: 3, to: nil), "a count is missing in the last snapshot"),
    ])
    func dayPageSaysWhyItIsProvisional(doubt: DayFinality.ProvisionalReason, text: String) {
        var source = SourceHistory.make(health: [.make(5, users: 9, crashedUsers: 0)])
        source.healthSettlement = [.back(5): .provisional(doubt)]
        let report = AppAnalysis.make(source)
        let page = AppPages(report, site: site).day(.back(5))
        #expect(page.isProvisional)
        #expect(page.provisional == text)
        #expect(report.day(.back(5)).healthTable.rows.first?.dropLast().last == .flag(true))
    }

    @Test func settledDayHasNoReason() {
        var source = SourceHistory.make(health: [.make(0, users: 9, crashedUsers: 0)])
        source.healthSettlement = [.back(0): .settled]
        let page = AppPages(AppAnalysis.make(source), site: site).day(.back(0))
        #expect(!page.isProvisional && page.provisional == nil)
        #expect(page.frame.freshness == "Data as of Thu, Jan 28, 2016, 06:30 UTC.")
    }

    /// Days of crashes alone: as the source reports of its days, else by their age, never left open.
    @Test(arguments: [true, false]) func crashesAloneAreProvisionalOrFinal(hasDays: Bool) throws {
        var source = SourceHistory.make(
            knows: [.issues, .issueDays],
            health: hasDays ? [0, 3, 4].map { HealthDay(date: .back($0), crashes: 7) } : [],
            issues: [Issue(id: "a", title: "A")],
            issueDays: hasDays ? [] : [0, 3, 4].map { .make("a", $0, events: 7) },
            coverage: [0, 3, 4].flatMap { back in
                [CoveredFact.crashes, .issueDays].map { CoverageSpan($0, .back(back)...(.back(back))) }
            })
        if hasDays { source.healthSettlement[.back(4)] = .provisional(.countChanged(from: 6, to: 7)) }
        let report = AppAnalysis.make(source)
        let table = report.stability.table(of: report.facts.days)
        let place = try #require(table.columns.firstIndex(of: "provisional"))
        let flags = Dictionary(uniqueKeysWithValues: table.rows.map { ($0[0], $0[place]) })
        func flag(_ back: Int) -> DataCell? { flags[.text(CivilDate.back(back).description)] }
        #expect(flag(0) == .flag(true) && flag(3) == .flag(false) && flag(4) == .flag(hasDays))
        // Of a day without any figure it is not known.
        #expect(flag(1) == .absent)
        for back in [0, 3, 4] {
            let day = report.day(.back(back))
            #expect(day.healthTable.rows.first?[place] == flag(back))
            let page = AppPages(report, site: site).day(.back(back))
            #expect(page.isProvisional == (flag(back) == .flag(true)))
            #expect((page.provisional != nil) == page.isProvisional)
        }
    }

    @Test func issuesOfASourceWithoutStabilityGoByTheAgeOfTheDay() {
        let report = AppAnalysis.make(
            .make(knows: [.issues, .issueDays], issueDays: [.make("a", 0), .make("a", 3)]))
        #expect(report.issues.isProvisional(.back(0)))
        #expect(!report.issues.isProvisional(.back(3)))
    }
}
