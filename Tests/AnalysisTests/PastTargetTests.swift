import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// A team that raises its target finds its past as it was judged.
struct PastTargetTests {
    /// Ninety days with 99.3% crash-free sessions, of a release each 30 days.
    private func history(_ changes: [TargetChange]) -> AppHistory {
        let labels = ["1", "2", "3"]
        let health = (0..<90).reversed().flatMap { back -> [HealthDay] in
            let crashed = 690 + back * 37 % 21
            return [
                .make(back, sessions: 100_000, crashed: crashed),
                .make(back, of: labels[2 - back / 30], sessions: 100_000, crashed: crashed),
            ]
        }
        var history = AppHistory.make(
            .make(
                knows: [.sessions, .releaseHealth, .releases], health: health,
                releases: labels.reversed().map { Release(version: Version($0), releasedAt: nil) }))
        history.targetChanges = changes
        return history
    }

    @Test(arguments: [true, false]) func pastIsJudgedByTheTargetOfItsTime(isRaised: Bool) throws {
        let (low, high) = (try #require(Targets(target: 0.99, critical: 0.98)), Targets.standard)
        let (then, now) = isRaised ? (low, high) : (high, low)
        let changed = Instant(startOf: .back(10))
        let history = history([
            TargetChange(at: .noon(back: 88), targets: then), TargetChange(at: changed, targets: now),
        ])
        let report = AppAnalysis(history, targets: now, asOf: reportTime)
        let (before, after): (Verdict, Verdict) = isRaised ? (.meets, .misses) : (.misses, .meets)
        for back in 0..<90 {
            let day = report.day(.back(back))
            #expect(day.verdict == (back > 13 ? before : after), "\(back)")
            #expect(report.facts.past(through: .back(back)).targets == (back > 13 ? then : now))
        }
        #expect(report.facts.targets == now && report.lastDay.verdict == after)
        #expect(report.weeks.first?.verdict == after && report.weeks.last?.verdict == before)
        // Releases of then keep what they got; the one in use is judged by the target of now as well.
        func name(_ verdict: Verdict) -> String { verdict == .meets ? "go" : "hold" }
        let firsts = ReleaseEvaluator(HistoryIndex(history, asOf: reportTime, targets: now)).firsts()
        for label in ["2", "3"] {
            let reached = firsts.filter { $0.evaluation.label == label }
            #expect(reached.first?.evaluation.verdict.name == name(before), "\(label)")
            #expect(reached.first?.evaluation.basis?.targets == then)
            #expect(reached.count == (label == "3" ? 2 : 1), "\(label)")
        }
        #expect(report.releases["3"]?.evaluation.verdict.name == name(after))
        #expect(report.releases["2"]?.evaluation.verdict.name == name(before))
    }

    /// A release that is no longer used is judged by the target of its last day of use, however long it was in use: its
    /// verdict and its rate alike.
    @Test(arguments: [(60, true), (20, false)])
    func aLongLifeIsJudgedByTheTargetOfItsLastDay(changed: Int, isRaisedBefore: Bool) throws {
        let (low, high) = (
            try #require(Targets(target: 0.985, critical: 0.97)),
            try #require(Targets(target: 0.995, critical: 0.97))
        )
        // In use for 200 days, and silent for 40.
        let health = (0..<240).reversed().flatMap { back -> [HealthDay] in
            [
                .make(back, sessions: 100_000, crashed: 1_000),
                .make(back, of: back >= 40 ? "3.0" : "4.0", sessions: 100_000, crashed: 1_000),
            ]
        }
        var history = AppHistory.make(
            .make(
                knows: [.sessions, .releaseHealth, .releases], health: health,
                releases: ["4.0", "3.0"].map { Release(version: Version($0), releasedAt: nil) }))
        history.targetChanges = [
            TargetChange(at: .noon(back: 238), targets: low),
            TargetChange(at: .noon(back: changed), targets: high),
        ]
        let report = AppAnalysis(history, targets: high, asOf: reportTime)
        let release = try #require(report.releases["3.0"])
        #expect(release.targets == (isRaisedBefore ? high : low))
        #expect(release.evaluation.basis?.targets == release.targets)
        #expect(release.verdict == (isRaisedBefore ? .misses : .meets))
        #expect(release.evaluation.verdict == (isRaisedBefore ? .hold : .go))
    }

    /// What no report has used yet holds from the report on.
    @Test func newTargetsOfTheConfigurationAreOfTheNewestDays() throws {
        let low = try #require(Targets(target: 0.99, critical: 0.98))
        let report = AppAnalysis(
            history([TargetChange(at: .noon(back: 88), targets: low)]), targets: .standard, asOf: reportTime)
        #expect(report.lastDay.verdict == .misses && report.day(.back(9)).verdict == .meets)
        let plain = AppAnalysis(history([]), targets: .standard, asOf: reportTime)
        #expect(plain.day(.back(80)).verdict == .misses)
    }
}
