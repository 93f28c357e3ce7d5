import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

struct IssueSurroundingsTests {
    private func report(_ seen: [Int], knownSince: Int, partialSince: Int? = nil) -> AppAnalysis {
        let whole = CoverageSpan(.issueDays, .back(knownSince) ... .back(0))
        let part = partialSince.map {
            CoverageSpan(
                .issueDays, .back($0) ... .back(knownSince + 1), .partial(counted: 30, of: nil))
        }
        let source = SourceHistory.make(
            health: (0...max(knownSince, partialSince ?? 0)).map { .make($0) },
            issues: [Issue(id: "a", title: "A")],
            issueDays: seen.sorted(by: >).map { .make("a", $0, events: 1 + $0 % 7) },
            coverage: [whole] + [part].compactMap(\.self))
        return AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
    }

    private func days(of issue: IssueFacts) -> [CivilDate] {
        let last = issue.window.lastDay
        return (0..<AppFacts.chartSpan).map { last.advanced(by: $0 + 1 - AppFacts.chartSpan) }
    }

    /// On which days an issue was seen, from which one on every issue is known, and from which one on a part of them.
    @Test(
        arguments: [
            (seen: [0], knownSince: 30, partialSince: nil), ([3, 4, 5, 80], 300, nil),
            ([290, 10, 1], 300, 360),
            ([200], 150, 210), (Array(0..<250), 260, nil), ([100], 3, nil), ([40], 60, 90),
        ] as [(seen: [Int], knownSince: Int, partialSince: Int?)])
    func aPageSaysTheSameWithNoMoreThanItsOwn(seen: [Int], knownSince: Int, partialSince: Int?) throws {
        let report = report(seen, knownSince: knownSince, partialSince: partialSince)
        let issue = try #require(report.issues["a"]).onPage
        let days = days(of: issue)
        let all = report.issues.surroundings(of: days, report.stability)
        let own = all.ofPage(of: issue, on: days)
        #expect(issue.events(on: days, in: own) == issue.events(on: days, in: all))
        let rows = try #require(issue.days)
        #expect(rows.map { own.coverage(of: $0.date) } == rows.map { all.coverage(of: $0.date) })
    }

    /// What is known of the days long before an issue is no matter of its page, which stays when they go.
    @Test func daysLongBeforeAnIssueAreNoMatterOfItsPage() throws {
        let surroundings = try [400, 300].map { knownSince in
            let report = report([9, 5, 4], knownSince: knownSince)
            let issue = try #require(report.issues["a"]).onPage
            let days = days(of: issue)
            return report.issues.surroundings(of: days, report.stability).ofPage(of: issue, on: days)
        }
        #expect(surroundings[0] == surroundings[1])
    }
}
