import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// An open alert that becomes much worse is another alert, on the day on which it does; one that goes on, drops slowly or
/// differs by chance is not.
struct GrowingAlertTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The crashed of 1,000 users on each day of the story, oldest first; 5 of the days before it.
        let story: [Double]
        /// The days of the story with an alert: the first one is 0.
        let alerts: [Int]
        /// The same for an app of which nothing but its crashes is known; nil where they are the same.
        var counted: [Int]?
    }

    static let rows = [
        Row(testDescription: "goes on", story: Array(repeating: 10, count: 20), alerts: [0]),
        Row(testDescription: "all crash on the next day", story: [10, 990, 990, 990, 990], alerts: [0, 1]),
        Row(testDescription: "all crash after two days", story: [10, 10, 10, 990, 990], alerts: [0, 3]),
        Row(
            testDescription: "all crash after four days", story: [10, 10, 10, 10, 10, 990, 990],
            alerts: [0, 5]),
        Row(testDescription: "one day as before it", story: [10, 5, 300, 300, 300], alerts: [0, 2]),
        Row(testDescription: "two days as before it", story: [10, 5, 5, 300, 300], alerts: [0, 3]),
        Row(
            testDescription: "three days as before it", story: [10, 5, 5, 5, 300, 300, 300], alerts: [0, 4]),
        Row(
            testDescription: "once more and half as deep", story: [10] + Array(repeating: 12.5, count: 8),
            alerts: [0]),
        Row(testDescription: "more than twice as deep", story: [10, 17, 17, 17, 17], alerts: [0, 1]),
        Row(testDescription: "less deep on the way", story: [30, 10, 12, 32, 30, 28], alerts: [0]),
        Row(testDescription: "a stop, and then worse", story: [30, 10, 12, 90, 90, 90], alerts: [0, 3]),
        Row(
            testDescription: "a release in four steps", story: [10, 10, 33, 33, 150, 250, 250],
            alerts: [0, 2, 4]),
        Row(
            testDescription: "two steps back, and worse than any",
            story: [30, 90, 90, 30, 30, 30, 200, 200], alerts: [0, 1, 6]),
        Row(testDescription: "to the depth of before", story: [30, 90, 90, 30, 30, 90, 90], alerts: [0, 1]),
        // The alerts double: they come the more seldom, the longer it drops.
        Row(
            testDescription: "a slow slide", story: (0..<30).map { 10 + 2 * Double($0) },
            alerts: [0, 4, 13], counted: [0, 5, 15]),
    ]

    private static let past = 100

    /// The users, or crashes alone, of an app with such a story at its end.
    private static func app(_ story: [Double], isCounted: Bool) -> SourceHistory {
        let length = past + story.count
        let days = (0..<length).map { place -> (back: Int, all: Int, crashed: Int) in
            let all = 20_000.0 * (place % 7 < 5 ? 1 : 0.9)
            let usual = 5 * (1 + 0.05 * (Double(place * 37 % 11) / 5 - 1))
            let share = place < past ? usual : story[place - past]
            return (length - 1 - place, Int(all), Int((all * share / 1000).rounded()))
        }
        guard isCounted else {
            return .make(health: days.map { .make($0.back, users: $0.all, crashedUsers: $0.crashed) })
        }
        return .make(
            knows: [.issues, .issueDays],
            health: days.map { HealthDay(date: .back($0.back), crashes: $0.crashed) },
            coverage: days.map { .init(.crashes, CivilDate.back($0.back)...CivilDate.back($0.back)) })
    }

    /// The alerts of an app, oldest first, by the day of the story, and their ids.
    private static func alerts(
        _ row: Row, isCounted: Bool, through last: Int
    ) -> [(day: Int, event: Event)] {
        let back = row.story.count - 1 - last
        let rule: any Rule = isCounted ? CrashCountRule() : StabilityRule()
        return found(
            by: rule, in: app(row.story, isCounted: isCounted),
            asOf: reportTime.advanced(bySeconds: -86_400 * back)
        ).map { (row.story.count - 1 - $0.back, $0) }
    }

    /// What each night reports is what all of them report together.
    @Test(arguments: rows, [false, true])
    func whatBecomesMuchWorseIsAnotherAlert(row: Row, isCounted: Bool) {
        let expected = (isCounted ? row.counted : nil) ?? row.alerts
        for last in row.story.indices {
            let night = Self.alerts(row, isCounted: isCounted, through: last)
            #expect(night.map(\.day) == expected.filter { $0 <= last }, "\(last)")
            #expect(Set(night.map(\.event.occasion.id)).count == night.count)
        }
    }

    /// What was said of the first stays: what it dropped to and how far.
    @Test func theAlertOfADayNamesTheRateOfThatDay() throws {
        let row = Row(testDescription: "", story: [10, 990, 990, 5, 5, 5], alerts: [])
        let alerts = Self.alerts(row, isCounted: false, through: 5).compactMap {
            _, event -> StabilityAlert? in
            if case .stability(let alert) = event { alert } else { nil }
        }
        #expect(alerts.map { ($0.drop * 100).rounded() } == [1, 98])
        let (first, last) = (try #require(alerts.first), try #require(alerts.last))
        #expect(first.episode.worst == first.episode.finding && first.episode.last == first.episode.first)
        #expect(first.episode.state == .followed(by: last.episode.first))
        #expect(last.episode.origin.first == first.episode.first)
        let back = found(by: RecoveryRule(), in: Self.app(row.story, isCounted: false))
        #expect(back.map(\.back) == [2])
        let report = AppAnalysis(
            .make(Self.app(Array(row.story.prefix(2)), isCounted: false)), targets: .standard,
            asOf: reportTime)
        #expect(report.activity.openAlerts == 1)
        #expect(report.day(lastDay).events.contains { $0.kind == .stability })
    }

    /// Levels and mutes go by each of the alerts: one that is below them hides none that is not.
    @Test(arguments: [(1.0, 1), (0.1, 2), (20, 1), (99, 0)]) func aLevelHidesTheSmallAlertAlone(
        points: Double, count: Int
    ) {
        let index = HistoryIndex(
            .make(Self.app([10, 400, 400], isCounted: false)), asOf: reportTime)
        let backtest = Backtest(
            index, days: 30, mutes: [],
            variants: [BacktestVariant("", StabilityRule(), least: AlertLevel(points: points))])
        #expect(backtest.results.first?.dates.count == count)
    }

    /// A level goes by the worst day of an alert: one that becomes deeper, and not so much that it is another one, reaches
    /// what its first day missed.
    @Test(arguments: [(0.4, 1), (0.8, 1), (1.2, 0)]) func aLevelGoesByTheWorstDay(
        points: Double, count: Int
    ) {
        let index = HistoryIndex(.make(Self.app([10, 14, 14], isCounted: false)), asOf: reportTime)
        #expect(StabilityRule().alerts(in: index).count == 1)
        let backtest = Backtest(
            index, days: 30, mutes: [],
            variants: [BacktestVariant("", StabilityRule(), least: AlertLevel(points: points))])
        #expect(backtest.results.first?.dates.count == count)
    }

    /// The same goes for crashes, in percent more than expected: 100 on the first day and 180 later.
    @Test(arguments: [(90.0, 1), (150, 1), (250, 0)]) func aLevelOfCountsGoesByTheWorstDay(
        share: Double, count: Int
    ) {
        let index = HistoryIndex(.make(Self.app([10, 14, 14], isCounted: true)), asOf: reportTime)
        #expect(CrashCountRule().episodes(in: index).count == 1)
        let backtest = Backtest(
            index, days: 30, mutes: [],
            variants: [BacktestVariant("", CrashCountRule(), least: AlertLevel(share: share))])
        #expect(backtest.results.first?.dates.count == count)
    }

    /// Of a day whose users come later than its crashes, the rate looks worse than it will be.
    @Test(arguments: [(12.0, 1.0, 1), (12, 0.55, 1), (60, 0.55, 2), (60, 1, 2)])
    func aDayThatIsNotWholeGoesByTheUsersThatAreExpected(perMille: Double, part: Double, count: Int) {
        var source = Self.app([12, 12, perMille], isCounted: false)
        source.health = source.health.map { day in
            var day = day
            if day.date == lastDay { day.users = day.users.map { Int(Double($0) * part) } }
            return day
        }
        source.lateCounts = [.users: [lastDay: LateCounts(nights: 1, total: part, crashed: 1)]]
        #expect(found(by: StabilityRule(), in: source).count == count)
    }

    /// However noisy an app is, a step that lasts has one alert, and the false alarm of a quiet app is not followed by
    /// another: in all but a few.
    @Test(arguments: [400.0, 3000, 20_000, 300_000], [(1.0, 0.1), (1.0, 0.25), (2.0, 0.15), (4.0, 0.15)])
    func noiseMakesNoAlertOfOneThatGoesOn(use: Double, course: (times: Double, drift: Double)) {
        var (first, others) = (0, 0)
        for seed in UInt64(1)...12 {
            let days = Self.noisy(use: use, course, days: 200, since: 150, seed: seed)
            let source = SourceHistory.make(
                health: days.enumerated().map {
                    .make(days.count - 1 - $0, users: $1.all, crashedUsers: $1.crashed)
                })
            let found = StabilityRule().alerts(in: HistoryIndex(.make(source), asOf: reportTime))
            let chained = found.count { $0.episode.origin.first != $0.episode.first }
            (first, others) = (first + found.count - chained, others + chained)
        }
        #expect(others <= 1 + first / 10, "\(others) of \(first)")
    }

    /// Use and crashes of an app with noise that lasts some days; from a day on it crashes so many times as often.
    private static func noisy(
        use: Double, _ course: (times: Double, drift: Double), days: Int, since: Int, seed: UInt64
    ) -> [(all: Int, crashed: Int)] {
        var numbers = TestNumbers(state: seed)
        func normal() -> Double {
            (0..<12).reduce(-6) { sum, _ in sum + Double(numbers.next() >> 11) / 0x1p53 }
        }
        var drift = 0.0
        return (0..<days).map { day in
            let all = (use * [1, 1, 1.02, 1, 1.05, 0.8, 0.7][day % 7] * (1 + 0.03 * normal())).rounded()
            drift = 0.6 * drift + course.drift * normal()
            let mean = all * 0.01 * (day < since ? 1 : course.times) * max(0.3, 1 + drift)
            return (Int(all), Int(min(all, max(0, (mean + mean.squareRoot() * normal()).rounded()))))
        }
    }
}
