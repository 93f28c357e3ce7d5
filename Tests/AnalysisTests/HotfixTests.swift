import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// A release that was halted because it was worse is no measure for the one that fixes it.
struct HotfixTests {
    /// Four releases of a week each with 0.3% of sessions crashed, one with 0.9% that was in use for so many days, and one
    /// after it with so many crashed of 10,000 sessions a day.
    private func evaluation(crashed: Int, haltedDays: Int) -> ReleaseEvaluator {
        let span = 8
        var days: [(label: String, first: Int, length: Int, crashed: Int)] = [("0", 80, 1, 30)]
        days += (1...4).map { ("\($0)", 80 - 7 * $0, 7, 30) }
        let end = 80 - 7 * 5
        days.append(("5", end, haltedDays, 90))
        days.append(("5.1", end - haltedDays, span, crashed))
        let rows = days.flatMap { release in
            (0..<release.length).map { age in (back: release.first - age, release) }
        }
        let last = rows.map(\.back).min() ?? 0
        let health = rows.flatMap { back, release in
            [
                HealthDay.make(back - last, of: release.label, sessions: 10_000, crashed: release.crashed),
                .make(back - last, sessions: 10_000, crashed: release.crashed),
            ]
        }
        return ReleaseEvaluator(
            HistoryIndex(
                .make(.make(health: health)), asOf: reportTime,
                targets: Targets(target: 0.98, critical: 0.97) ?? .standard))
    }

    @Test(
        arguments: [
            // As bad as the halted one, or as good as those before it.
            (90, 6, true, ["4", "3", "2"], ["5"]), (30, 6, false, ["4", "3", "2"], ["5"]),
            // What is kept for long was accepted.
            (90, 30, true, ["5", "4", "3"], []), (45, 30, false, ["5", "4", "3"], []),
        ] as [(Int, Int, Bool, [String], [String])])
    func hotfixIsHeldAgainstSoundReleases(
        crashed: Int, haltedDays: Int, isWorse: Bool, peers: [String], halted: [String]
    ) throws {
        let evaluator = evaluation(crashed: crashed, haltedDays: haltedDays)
        #expect(evaluator.evaluation(of: "5").basis?.comparison?.isWorse == true)
        let evaluation = evaluator.evaluation(of: "5.1")
        let basis = try #require(evaluation.basis)
        #expect(basis.comparison?.peers.map(\.label) == peers)
        #expect(basis.unmatched.map(\.label) == halted && basis.unmatched.allSatisfy { $0.reason == .worse })
        #expect(basis.comparison?.isWorse == isWorse)
        #expect(evaluation.verdict == (isWorse ? .hold : .go))
    }
}
