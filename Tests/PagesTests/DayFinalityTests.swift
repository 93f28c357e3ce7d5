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

    @Test func issuesOfASourceWithoutStabilityGoByTheAgeOfTheDay() {
        let report = AppAnalysis.make(
            .make(knows: [.issues, .issueDays], issueDays: [.make("a", 0), .make("a", 3)]))
        #expect(report.issues.isProvisional(.back(0)))
        #expect(!report.issues.isProvisional(.back(3)))
    }
}
