import AppHealth
import Testing

@testable import Providers

struct SessionPlanTests {
    private let end = CivilDate(daysSinceEpoch: 20_776)

    @Test(arguments: [
        (90, 1, [90], 0), (90, 109, [90], 0), (90, 111, [45, 45], 0), (30, 322, [30], 0),
        (30, 323, [15, 15], 0),
        (30, 1000, [8, 8, 7, 7], 0), (3, 5000, [1, 1, 1], 0), (3, 5001, [1, 1, 1], 1),
        (2, 20_000, [1, 1], 15_000), (1, 0, [1], 0), (2, -5, [2], 0), (2, .max, [1, 1], .max - 5000),
    ])
    func cutsTheDaysSoThatNoAnswerIsCut(days: Int, groups: Int, lengths: [Int], skipped: Int) {
        let plan = SessionPlan(days: DaySpan(days: days, endingOn: end), groups: groups)
        #expect(plan.spans.map(\.count).sorted(by: >) == lengths)
        #expect(plan.skippedGroups == skipped)
        #expect(plan.spans.first?.last == end)
        for (newer, older) in zip(plan.spans, plan.spans.dropFirst()) {
            #expect(older.last.days(to: newer.first) == 1)
        }
        guard skipped == 0 else { return }
        #expect(plan.spans.allSatisfy { max(1, groups) * ($0.count + 1) <= SessionPlan.mostPoints })
    }

    @Test(arguments: [(90, 109), (30, 322), (1, 5000), (0, 10_000), (-1, 10_000), (Int.max, 0)])
    func anAnswerHoldsSoManyGroups(days: Int, groups: Int) {
        #expect(SessionPlan.mostGroups(days: days) == groups)
    }

    @Test(arguments: [(7, 3, [3, 2, 2]), (1, 5, [1]), (6, 3, [3, 3]), (4, 0, [1, 1, 1, 1])])
    func spansAreCutEvenly(days: Int, most: Int, lengths: [Int]) {
        #expect(
            DaySpan(days: days, endingOn: end).parts(ofAtMost: most).map(\.count).sorted(by: >) == lengths)
    }
}
