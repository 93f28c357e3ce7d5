import Analysis
import AppHealth
import HistoryFixtures
import Synchronization
import Testing

struct BacktestTests {
    private static let index = HistoryIndex(
        AppHistory(app: AppHistory.make().app, sources: [troubled]), asOf: reportTime)

    private static func result(_ rule: String, _ variant: String, of backtest: Backtest) -> Backtest.Result? {
        backtest.results.first { $0.ruleID == rule && $0.variant.name == variant }
    }

    @Test func everyStandardRuleIsTried() {
        let backtest = Backtest(Self.index, days: 90, mutes: [])
        let standard = backtest.results.filter(\.variant.isStandard)
        #expect(standard.map(\.ruleID) == standardRules.map { type(of: $0).id })
        #expect(Set(backtest.results.map { $0.ruleID + $0.variant.name }).count == backtest.results.count)
        #expect(backtest.coveredDays == 13)
        let found = events(in: Self.index)
        for result in standard {
            #expect(result.dates.count == found.count { $0.occasion.rule == result.ruleID })
        }
    }

    @Test func thresholdsDiffer() {
        let variants = [("strict", 5.0), ("middle", 3), ("standard", 1)].map {
            BacktestVariant($0.0, IssueVelocityRule(percent: $0.1))
        }
        let backtest = Backtest(Self.index, days: 90, mutes: [], variants: variants)
        #expect(
            backtest.results.map { $0.dates.map { $0.days(to: lastDay) } } == [
                [1, 0], [12, 1, 0], [12, 12, 0],
            ])
        #expect(backtest.results.map(\.perYear) == [2, 3, 3].map { $0 * 365 / 13 })
    }

    /// What is tried are settings of the configuration for the kind of the rule, and fewer events at higher levels.
    @Test func variantsAreLeastLevelsOfTheConfiguration() {
        let backtest = Backtest(HistoryIndex(AppHistory.make(long), asOf: reportTime), days: 90, mutes: [])
        let tried = Dictionary(grouping: backtest.results, by: \.ruleID)
        #expect(
            tried["stability"]?.map(\.variant.name) == [
                "standard", "leastPoints 0.25", "leastPoints 0.5", "leastPoints 1",
            ])
        #expect(tried["source-trouble"]?.first?.kind == .sourceTrouble)
        #expect(Set(backtest.results.filter(\.isOnCrashCounts).map(\.ruleID)) == ["crash-count"])
        for result in backtest.results where !result.variant.isStandard {
            let words = result.variant.name.split(separator: " ")
            #expect(result.kind.measures.map(\.leastKey).contains(String(words[0])), "\(result.variant.name)")
        }
        for results in tried.values {
            for (first, next) in zip(results, results.dropFirst())
            where next.variant.least.users == first.variant.least.users {
                #expect(Set(next.dates).isSubset(of: first.dates))
            }
        }
        let standard = Backtest(
            HistoryIndex(AppHistory.make(long), asOf: reportTime), days: 90, mutes: [],
            variants: [
                BacktestVariant("standard", StabilityRule()),
                BacktestVariant("leastPoints 90", StabilityRule(), least: AlertLevel(points: 90)),
            ])
        #expect(standard.results.map { $0.dates.isEmpty } == [false, true])
    }

    @Test func onlyTheLastDaysCount() {
        let backtest = Backtest(Self.index, days: 3, mutes: [.make(0, .init(issue: "knot"))])
        #expect(backtest.first == .back(2) && backtest.coveredDays == 3)
        let velocity = Self.result("velocity", "standard", of: backtest)
        #expect(velocity?.dates == [.back(0)] && velocity?.muted == 1)
        #expect(Self.result("stability", "standard", of: backtest)?.dates == [])
        #expect(Self.result("source-trouble", "standard", of: backtest)?.dates == [.back(-1)])
    }

    @Test func aMutedAlertTakesItsRecoveryAlong() {
        let index = HistoryIndex(AppHistory.make(long), asOf: reportTime)
        let backtest = Backtest(index, days: 90, mutes: [.make(0, .init(kind: .stability))])
        #expect(Self.result("recovery", "standard", of: backtest)?.muted == 1)
    }

    @Test func expectedFalseAlarmsAreThoseThatTheRuleStates() {
        let backtest = Backtest(Self.index, days: 90, mutes: [])
        for result in backtest.results {
            let stated = (result.variant.rule as? any StatesFalseAlarms)?
                .falseAlarmsPerYear(in: Self.index, since: backtest.first)
            #expect(result.expectedPerYear == (result.variant.isStandard ? stated : nil))
        }
        #expect(backtest.results.contains { $0.expectedPerYear != nil })
    }

    /// The pace is that of the days on which a rule can find anything: three weeks teach it what is usual.
    @Test func aPaceIsOfTheDaysThatARuleCanJudge() {
        let health =
            [HealthDay].quietPast(before: 0, from: 39, sessions: 20_000, crashed: 40)
            + [.make(0, sessions: 20_000, crashed: 1_200)]
        for (from, perYear) in [(39, 365.0 / 19), (10, nil)] as [(Int, Double?)] {
            let index = HistoryIndex(
                .make(.make(health: health.filter { $0.date >= .back(from) })), asOf: reportTime)
            let backtest = Backtest(index, days: 90, mutes: [])
            #expect(backtest.knownDays.rate == from + 1)
            #expect(Self.result("stability", "standard", of: backtest)?.perYear == perYear)
        }
    }

    /// However many least levels are tried for a rule, it runs once, muted or not.
    @Test(arguments: [[], [Mute.make(0, .init(kind: .newNote))]]) func eachRuleRunsOnce(mutes: [Mute]) {
        let runs = CountedRuns()
        let levels = [nil, 10, 20].map { AlertLevel(users: $0) }
        let variants = levels.map { BacktestVariant("\($0)", CountedRule(runs: runs), least: $0) }
        let backtest = Backtest(Self.index, days: 90, mutes: mutes, variants: variants)
        #expect(backtest.results.count == 3 && runs.count.withLock { $0 } == 1)
    }

    @Test func anAppWithoutFiguresHasNoPace() {
        let index = HistoryIndex(.make(), asOf: reportTime)
        let backtest = Backtest(index, days: 90, mutes: [])
        #expect(backtest.coveredDays == 0 && backtest.suggestion == .failure(.moreDays(28)))
        #expect(backtest.results.allSatisfy { $0.perYear == nil && $0.dates.isEmpty })
    }
}

/// A rule that finds nothing and counts how often it is asked.
private struct CountedRule: Rule {
    static let id = "counted"
    static let kind = EventKind.newNote
    let runs: CountedRuns

    func events(in _: HistoryIndex) -> [Event] {
        runs.count.withLock { $0 += 1 }
        return []
    }
}

private final class CountedRuns: Hashable, Sendable {
    let count = Mutex(0)

    static func == (one: CountedRuns, other: CountedRuns) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
