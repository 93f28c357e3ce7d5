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

    /// A source that counts sessions since 20 days, and counted users alone before that: 2.0 is ten days older than its
    /// first session.
    @Test func aReleaseIsAsOldAsItsUsersSay() throws {
        let health = (0...60).reversed().flatMap { back -> [HealthDay] in
            let label = back > 30 ? "1.0" : "2.0"
            return [nil, label].map {
                back > 20
                    ? .make(back, of: $0, users: 4000, crashedUsers: 12)
                    : .make(back, of: $0, sessions: 9000, crashed: 18, users: 4000, crashedUsers: 12)
            }
        }
        let evaluator = ReleaseEvaluator(HistoryIndex(.make(.make(health: health)), asOf: reportTime))
        let life = try #require(evaluator.evaluation(of: "2.0").basis?.life)
        #expect(life.basis == .sessions && life.start == .known && life.firstDay == .back(30))
        #expect(life.gaps == Set(0..<10) && life.days.count { $0 != nil } == 21)
        // What was never counted in sessions has no verdict by them.
        #expect(evaluator.evaluation(of: "1.0").verdict == .unknown)
    }

    /// A source that writes a version in another way makes it no new release.
    @Test(
        arguments: [
            ("1.2", "1.2.0 (120)", .sameVersion(as: "1.2")),
            ("1.2.0+120", "v1.2", .sameVersion(as: "1.2.0+120")),
            ("1.2 (7)", "1.2.0+7", .sameVersion(as: "1.2 (7)")), ("1.2 (7)", "1.2 (8)", .known),
            ("1.2", "1.2.1", .known), ("1.2-rc1", "1.2", .known), ("ios-1.2", "1.2", .known),
            ("nightly", "beta", .known),
        ] as [(String, String, ReleaseHistory.Start)])
    func anotherLabelOfAVersionIsNoNewRelease(first: String, second: String, start: ReleaseHistory.Start) {
        let health = (0..<40).reversed().flatMap { back -> [HealthDay] in
            [.make(back, sessions: 10_000, crashed: 30)]
                + (back >= 10 && back < 35 ? [.make(back, of: first, sessions: 5000, crashed: 20)] : [])
                + (back < 10 ? [.make(back, of: second, sessions: 5000, crashed: 20)] : [])
                // A few builds that are tried before are no use.
                + (back == 38 ? [.make(back, of: "\(second) (1)", sessions: 3, crashed: 0)] : [])
        }
        let evaluation = ReleaseEvaluator(HistoryIndex(.make(.make(health: health)), asOf: reportTime))
            .evaluation(of: second)
        #expect(evaluation.basis?.life.start == start)
    }
}
