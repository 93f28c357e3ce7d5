import Analysis
import AppHealth
import Estimates
import HistoryFixtures
import Testing

/// What moves all releases on a day makes none of them worse.
struct SameDaysTests {
    /// Three releases of two weeks each with 0.3% of sessions crashed, and a fourth with 1.2%, while the third has so many
    /// sessions and crashed ones a day.
    private func history(sessions: Int, crashed: Int) -> AppHistory {
        let (span, all) = (14, 20_000)
        var health: [HealthDay] = [
            .make(4 * span, of: "0", sessions: all, crashed: 60), .make(4 * span, sessions: all, crashed: 60),
        ]
        for back in span..<4 * span {
            health.append(.make(back, of: "\(4 - back / span)", sessions: all, crashed: 60))
            health.append(.make(back, sessions: all, crashed: 60))
        }
        for back in 0..<span {
            health.append(.make(back, of: "4", sessions: 10_000, crashed: 120))
            if sessions > 0 { health.append(.make(back, of: "3", sessions: sessions, crashed: crashed)) }
            health.append(.make(back, sessions: 10_000 + sessions, crashed: 120 + crashed))
        }
        return .make(.make(health: health))
    }

    private func evaluation(sessions: Int, crashed: Int) -> ReleaseEvaluation {
        let index = HistoryIndex(
            history(sessions: sessions, crashed: crashed), asOf: reportTime,
            targets: Targets(target: 0.98, critical: 0.97) ?? .standard)
        return ReleaseEvaluator(index).evaluation(of: "4")
    }

    /// Sessions and crashed sessions of the release before on the days of the new one, and whether that is worse.
    @Test(
        arguments: [
            // All releases crash more than weeks ago.
            (10_000, 120, false), (5_000, 60, false),
            // The new one alone does.
            (10_000, 30, true), (2_000, 6, true),
            // The others are gone, or have too few sessions to say.
            (0, 0, true), (20, 0, true),
        ])
    func worseIsWhatTheSameDaysShowAsWell(sessions: Int, crashed: Int, isWorse: Bool) throws {
        let found = evaluation(sessions: sessions, crashed: crashed)
        let comparison = try #require(found.basis?.comparison)
        #expect(comparison.peers.map(\.label) == ["3", "2", "1"])
        #expect(comparison.isWorse == isWorse && (comparison.claim == nil) != isWorse)
        #expect(found.verdict == (isWorse ? .hold : .go))
        // What it was held against is known where that decides.
        let days = comparison.sameDays
        #expect((days == nil) == isWorse)
        guard let days else { return }
        #expect(days.ages == 0...13 && days.others.map(\.label) == ["3"])
        #expect(days.own.total == 140_000 && days.own.crashed == 14 * 120)
        #expect(days.others.first?.counts.total == 14 * sessions)
        #expect(days.others.first?.counts.crashed == 14 * crashed)
    }

    /// Two releases that are compared go by the same days as a verdict does.
    @Test(arguments: [(10_000, 120, false), (10_000, 30, true), (0, 0, true), (20, 0, true)])
    func aPairGoesByTheSameDaysAsWell(sessions: Int, crashed: Int, isWorse: Bool) throws {
        let report = AppAnalysis(
            history(sessions: sessions, crashed: crashed), targets: .standard, asOf: reportTime)
        let pair = report.releases.pairs.first {
            $0.later.version.label == "4" && $0.earlier.version.label == "3"
        }
        let lives = try #require(pair?.lives)
        #expect(lives.finding == (isWorse ? .worse : .notShown))
        #expect(lives.doubt == (isWorse ? nil : .sameDays))
    }
}
