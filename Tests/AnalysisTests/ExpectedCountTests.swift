import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// What days could be expected to bring.
struct ExpectedCountTests {
    @Test(
        arguments: [
            ([Double?](repeating: 4, count: 27), 0), ([Double?](repeating: nil, count: 60), 0),
            ([Double?](repeating: 4, count: 30), 2), ([Double?](repeating: 0, count: 40), 12),
        ])
    func expectationNeedsAPast(counts: [Double?], days: Int) {
        #expect(expectedCounts(counts).compactMap(\.self).count == days)
    }

    @Test func expectationHoldsWhatIsUsualAndDoubtsOutliers() throws {
        let calm = (0..<70).map { Double(10 + $0 % 3) }
        let ranges = expectedCounts(calm).compactMap(\.self)
        #expect(
            ranges.allSatisfy { $0.lower < 10 && $0.upper > 12 && $0.upper < 30 && abs($0.mean - 11) < 0.2 })
        var spiked = calm
        spiked[40] = 100_000
        let after = try #require(expectedCounts(spiked).last ?? nil)
        #expect(after.upper < 60)
        // A new level is learned within weeks.
        let risen = calm.prefix(35) + Array(repeating: 100, count: 60)
        let last = try #require(expectedCounts(Array(risen)).last ?? nil)
        #expect(last.upper > 100)
    }

    /// Half an event is added to the sum of the past, as the methods say.
    @Test func expectationIsTheMeanWithHalfAnEventMore() throws {
        let expected = try #require(expectedCounts([5] + Array(repeating: 0, count: 28)).last ?? nil)
        #expect(expected.mean == (5 + ExpectedCount.added) / 28 && ExpectedCount.added == 0.5)
    }

    /// About 20 crashes a day with a rise between, in a report of so many days before the last one.
    private func report(back end: Int) -> AppAnalysis {
        let asOf = reportTime.advanced(bySeconds: -86_400 * end)
        let counts = (end..<200).reversed().map { back in
            (back, (80...84).contains(back) ? 900 : 17 + back * 37 % 7)
        }
        let days = CivilDate.back(199) ... .back(end)
        let source = SourceHistory.make(
            knows: [.issues, .issueDays], capturedAt: asOf,
            health: counts.map { HealthDay(date: .back($0), crashes: $1) },
            issues: [Issue(id: "a", title: "A", firstSeen: .noon(back: 300))],
            issueDays: counts.map { .make("a", $0, events: $1, users: nil) },
            coverage: [CoverageSpan(.crashes, days), CoverageSpan(.issueDays, days)])
        return AppAnalysis(.make(source), targets: .standard, asOf: asOf)
    }

    /// The ranges of the last days of a report: of the events of an issue, of the crashes, and of all events.
    private func ranges(back end: Int, span: Int) throws -> [[CivilDate: ExpectedCount]] {
        let report = report(back: end)
        let days = (end..<end + span).reversed().map(CivilDate.back)
        let issue = try #require(report.issues["a"])
        let ofIssue = try #require(report.issues.events(of: issue, on: days, report.stability))
        let ofAll = try #require(report.reportedEvents).course(on: days, report.issues)
        return [ofIssue, report.stability.crashes(on: days, report.issues), ofAll].map { course in
            Dictionary(
                course.days.compactMap { day in day.expected.map { (day.date, $0) } },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// How many days are shown, and on which night, changes no range.
    @Test(
        arguments: [(0, 14), (0, 30), (0, 60), (0, 90)] + (1...8).map { ($0, 30) } + [(20, 60)]
            as [(Int, Int)])
    func expectationIsThatOfEverySpanAndNight(end: Int, span: Int) throws {
        let all = try ranges(back: 0, span: 90)
        #expect(all.allSatisfy { $0.count == 90 })
        for (some, all) in zip(try ranges(back: end, span: span), all) {
            let days = CivilDate.back(end + span - 1) ... .back(end)
            #expect(some.count == span)
            for (day, range) in some where day >= .back(89) && days.contains(day) {
                #expect(range == all[day], "\(day)")
            }
        }
    }

    /// The ranges of events are the same from Monday to Sunday; those of crashes are those of their alert, of each day.
    @Test func expectationIsThatOfAWeek() throws {
        let all = try ranges(back: 0, span: 90)
        for ranges in [all[0], all[2]] {
            for week in Dictionary(grouping: ranges, by: { CivilWeek(of: $0.key) }).values {
                #expect(Set(week.map(\.value)).count == 1)
            }
        }
    }
}
