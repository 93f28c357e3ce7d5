import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// One day has counts that no app has: everywhere as if it had none.
struct ImpossibleCountTests {
    private func index(_ sessions: Int, _ crashed: Int) -> HistoryIndex {
        let health = (0...40).reversed().flatMap { back in
            [nil, "1.0"].map { version in
                let isOdd = back == 1
                return HealthDay.make(
                    back, of: version, sessions: isOdd ? sessions : 10_000, crashed: isOdd ? crashed : 50)
            }
        }
        return HistoryIndex(.make(.make(health: health)), asOf: reportTime)
    }

    @Test(arguments: [
        (2_000_000_000_000, 5, false), (.max, .max, false), (.max, 0, false),
        (PlausibleCount.largest, PlausibleCount.largest / 200, true), (10_000, 60, true),
    ])
    func oneRuleDecidesWhichCountsAreKnown(sessions: Int, crashed: Int, isKnown: Bool) throws {
        let index = index(sessions, crashed)
        let day = CivilDate.back(1)
        #expect((index.rates.crashedShare(on: day) != nil) == isKnown)
        #expect((DailyCounts(index, day...day).last(1, through: day).first.flatMap(\.self) != nil) == isKnown)
        #expect(
            (index.rates.crashSeries(index.rates.basis).dropLast().last.flatMap(\.self) != nil) == isKnown)
        let life = try #require(index.releases.lives.first)
        #expect((life.days.dropLast().last.flatMap(\.self) != nil) == isKnown)
        // Of the other days all is as it is.
        #expect(index.rates.crashedShare(on: lastDay) == Fraction(50, of: 10_000))
    }

    /// A source that says that it counted one session of a billion, of which a sum leaves the numbers.
    @Test func vastCountsOfASampleAreNoDrop() {
        let days = (0...120).reversed().map { back in
            let size = back < 3 ? 5_000_000_000_000_000_000 : 1_000_000_000
            return HealthDay.make(back, sessions: size, crashed: size / (back < 3 ? 4 : 200))
        }
        var source = SourceHistory.make(knows: [.sessions], health: days)
        for day in days {
            source.coverage.state(
                CoverageSpan(.sessions, day.date...day.date, .partial(counted: 1, of: 1_000_000_000)))
        }
        #expect(found(by: StabilityRule(), in: source).isEmpty)
        // Nothing is known of the days with them.
        #expect(AppAnalysis(.make(source), targets: .standard, asOf: reportTime).lastDay.date == .back(3))
    }

    @Test func impossibleCountsOfIssuesAreUnknown() {
        let source = SourceHistory.make(
            issues: [Issue(id: "a", title: "A", events: .max), Issue(id: "b", title: "B")],
            issueDays: [
                .make("a", 1, events: 4, users: 2), .make("a", events: .max, users: .max),
                .make("b", events: 3, users: 1),
            ])
        let index = HistoryIndex(.make(source), asOf: reportTime)
        #expect(index.issues.events(of: "a", on: [.back(1), lastDay]) == [4, nil])
        #expect(index.crashes.counts[.back(1)] == 4 && index.crashes.counts[lastDay] == nil)
        #expect(index.issues.byID["a"]?.events == nil)
    }
}
