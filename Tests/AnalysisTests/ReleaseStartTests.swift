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

    /// What is known of the days before the first one of an app, and of its only release on it.
    struct Beginning: Sendable {
        /// On how many days right before the first one no session was counted.
        var empty = 0
        /// Whether these were counted to their end.
        var isWhole = true
        /// How many days before the first one the release came out as its source says; nil where it does not.
        var released: Int?
        /// Whether somebody stated that.
        var isStated = false
        /// How many days before the first one an issue was first seen; nil without issues.
        var seen: Int?
        /// Whether a second release is in use on the first day.
        var hasOther = false
        let start: ReleaseHistory.Start
    }

    @Test(
        arguments: [
            // An archive that begins in the middle of a life.
            .init(start: .beforeFigures), .init(released: 30, isStated: true, start: .beforeFigures),
            .init(released: 1, isStated: true, start: .beforeFigures),
            // The first morning of an app whose owner says when it came out; who first met it then says nothing.
            .init(released: 0, isStated: true, start: .known), .init(released: 0, start: .beforeFigures),
            .init(empty: 1, released: 1, isStated: true, start: .known),
            // Days that are known to be empty, each day of the week.
            .init(empty: 7, start: .known), .init(empty: 14, released: 3, start: .known),
            .init(empty: 6, start: .beforeFigures), .init(empty: 14, isWhole: false, start: .beforeFigures),
            .init(empty: 14, released: 30, isStated: true, start: .beforeFigures),
            .init(empty: 14, seen: 20, start: .beforeFigures), .init(empty: 14, seen: 0, start: .known),
            // Of two releases one was there before.
            .init(empty: 14, hasOther: true, start: .beforeFigures),
            .init(released: 0, isStated: true, hasOther: true, start: .known),
        ] as [Beginning])
    func theFirstReleaseOfAnAppIsKnownWhereItsFirstDayIs(beginning: Beginning) {
        let first = 20
        let used = (0...first).flatMap { back -> [HealthDay] in
            let other = beginning.hasOther ? 4000 : 0
            return [
                .make(back, sessions: 10_000, crashed: 30),
                .make(back, of: "1.0", sessions: 10_000 - other, crashed: 20),
            ] + (other > 0 ? [.make(back, of: "0.9", sessions: other, crashed: 10)] : [])
        }
        let empty = (0..<beginning.empty).map { HealthDay.make(first + 1 + $0, sessions: 0, crashed: 0) }
        var source = SourceHistory.make(
            health: used + empty,
            releases: [
                Release(
                    version: Version("1.0"), releasedAt: beginning.released.map { .noon(back: first + $0) })
            ],
            issues: beginning.seen.map {
                [Issue(id: "a", title: "A", firstSeen: .noon(back: first + $0))]
            } ?? [])
        source.source.statesReleaseDays = beginning.isStated
        if !beginning.isWhole {
            for day in empty {
                source.coverage.state(
                    CoverageSpan(.sessions, day.date...day.date, .partial(counted: nil, of: nil)))
            }
        }
        let evaluation = ReleaseEvaluator(HistoryIndex(.make(source), asOf: reportTime)).evaluation(of: "1.0")
        #expect(evaluation.basis?.life.start == beginning.start)
    }

    /// The second release of an app crashes in four times as many sessions as the first, which came out with the app.
    @Test(arguments: [(0, true), (14, false)] as [(Int, Bool)])
    func theSecondReleaseIsComparedWithTheFirst(empty: Int, isStated: Bool) throws {
        let used = (0...60).flatMap { back -> [HealthDay] in
            let new = back > 20 ? 0 : min(4500, 500 + 400 * (20 - back))
            let old = 5000 - new
            return [
                .make(back, sessions: 5000, crashed: old * 3 / 1000 + new * 13 / 1000),
                .make(back, of: "1.0", sessions: old, crashed: old * 3 / 1000),
            ] + (new > 0 ? [.make(back, of: "1.1", sessions: new, crashed: new * 13 / 1000)] : [])
        }
        var source = SourceHistory.make(
            health: used + (0..<empty).map { .make(61 + $0, sessions: 0, crashed: 0) },
            releases: [
                Release(version: Version("1.1"), releasedAt: .noon(back: 20)),
                Release(version: Version("1.0"), releasedAt: .noon(back: 60)),
            ])
        source.source.statesReleaseDays = isStated
        let targets = try #require(Targets(target: 0.98, critical: 0.95))
        let index = HistoryIndex(.make(source), asOf: reportTime, targets: targets)
        let evaluation = ReleaseEvaluator(index).evaluation(of: "1.1")
        #expect(evaluation.verdict == .hold)
        #expect(evaluation.basis?.comparison?.peers.map(\.label) == ["1.0"])
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
