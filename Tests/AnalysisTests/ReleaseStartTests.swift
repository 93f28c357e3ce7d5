import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// Whether it is known when a release came out that is there on the first day of releases.
struct ReleaseStartTests {
    /// How many days sessions were known before the first day of releases, and on which day before or after it the source
    /// says that the release came out.
    @Test(
        arguments: [
            (30, 0, .known), (30, 1, .known), (30, -1, .known), (30, 9, .beforeFigures),
            (30, nil, .beforeFigures),
            // A service that first met the app then met each of its releases then.
            (0, 0, .beforeFigures),
        ] as [(Int, Int?, ReleaseHistory.Start)])
    func aReleaseThatCameOutSinceIsKnown(before: Int, released: Int?, start: ReleaseHistory.Start) {
        let health = (0..<20 + before).reversed().flatMap { back -> [HealthDay] in
            [.make(back, sessions: 10_000, crashed: 30)]
                + (back < 20 ? [.make(back, of: "5.0", sessions: 500, crashed: 2)] : [])
        }
        let source = SourceHistory.make(
            health: health,
            releases: [Release(version: Version("5.0"), releasedAt: released.map { .noon(back: 19 + $0) })])
        let evaluation = ReleaseEvaluator(HistoryIndex(.make(source), asOf: reportTime)).evaluation(of: "5.0")
        #expect(evaluation.basis?.life.start == start)
    }
}
