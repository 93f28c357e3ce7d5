import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// Days that are not whole yet: crashes that come after the sessions, and sessions that come after the crashes.
struct LateCrashesTests {
    private static let levels = Targets(target: 0.99, critical: 0.97) ?? .standard
    /// What days have after one night and after two.
    private static let late = [
        LateCounts(nights: 1, total: 1, crashed: 0.31), LateCounts(nights: 2, total: 1, crashed: 0.5),
    ]

    /// An app of which 0.4% of sessions crash, and its new release of two days with so many crashed of 20,000 sessions
    /// known so far, the first day first.
    private func index(crashed: [Int], late: [LateCounts]) -> HistoryIndex {
        var health: [HealthDay] = []
        for back in 0..<40 {
            let own = back < crashed.count ? crashed[crashed.count - 1 - back] : 0
            let sessions = back < crashed.count ? 20_000 : 0
            health.append(.make(back, sessions: 50_000, crashed: own + (50_000 - sessions) / 250))
            let rest = 50_000 - sessions
            let older = back < 20 ? "1.1" : "1.0"
            health.append(.make(back, of: older, sessions: rest, crashed: rest / 250))
            if sessions > 0 { health.append(.make(back, of: "1.2", sessions: sessions, crashed: own)) }
        }
        var source = SourceHistory.make(
            health: health,
            releases: ["1.2", "1.1", "1.0"].map { Release(version: Version($0), releasedAt: nil) })
        source.lateCounts = [
            .sessions: Dictionary(
                late.enumerated().map { (.back($0), $1) }, uniquingKeysWith: { first, _ in first })
        ]
        return HistoryIndex(.make(source), asOf: reportTime, targets: Self.levels)
    }

    @Test(
        arguments: [
            // 1.3% crash, of which a third and a half are known.
            ([130, 81], late, .notEnoughData(needed: nil)), ([130, 81], [], .go),
            ([130, 81], late.map { LateCounts(nights: $0.nights, total: 1, crashed: 1) }, .go),
            // Sessions that are as late as the crashes change no rate.
            (
                [130, 81], late.map { LateCounts(nights: $0.nights, total: $0.crashed, crashed: $0.crashed) },
                .go
            ),
            // As good as the releases before it, whatever comes.
            ([40, 25], late, .go), ([2, 1], late, .go),
            // Of one day nothing is known yet, and one alone is no go.
            (
                [40, 0], [LateCounts(nights: 1, total: 1, crashed: 0.01), late[1]],
                .notEnoughData(needed: nil)
            ),
            // What is known to be bad is so at once, and expected crashes alone are no hold.
            ([400, 400], late, .hold),
        ] as [([Int], [LateCounts], ReleaseVerdict)])
    func goHoldsWithTheCrashesThatAreExpected(
        crashed: [Int], late: [LateCounts], expected: ReleaseVerdict
    ) throws {
        let evaluator = ReleaseEvaluator(index(crashed: crashed, late: late))
        let found = evaluator.evaluation(of: "1.2")
        #expect(found.verdict == expected)
        #expect(found.basis != nil)
        if expected == .notEnoughData(needed: nil) {
            #expect(found.grounds == .crashesComingIn(try #require(late.first)))
        } else {
            #expect(found.grounds == .counts)
        }
        // A go that may be undone is no event.
        let firsts = evaluator.firsts().filter { $0.evaluation.label == "1.2" }.map(\.evaluation.verdict)
        #expect(firsts.contains(.go) == (expected == .go))
    }

    /// The users that were there of the last day, of 10,000, with so many crashed, and what earlier days had by then.
    @Test(
        arguments: [
            (6_000, 500, nil, true), (6_000, 500, LateCounts(nights: 1, total: 0.6, crashed: 1), false),
            (6_000, 500, LateCounts(nights: 1, total: 0.6, crashed: 0.6), true),
            // Late crashes raise nothing sooner.
            (10_000, 500, LateCounts(nights: 1, total: 1, crashed: 0.5), false),
            (10_000, 500, nil, false),
            // A drop is one with all sessions, too.
            (6_000, 2_000, LateCounts(nights: 1, total: 0.6, crashed: 1), true),
        ] as [(Int, Int, LateCounts?, Bool)])
    func sessionsThatComeLateRaiseNoAlert(users: Int, crashed: Int, late: LateCounts?, alerts: Bool) {
        let health = (0..<120).map { back in
            let noise = 500 + back * 37 % 11 * 4 - 20
            return back == 0
                ? HealthDay.make(users: users * 10, crashedUsers: crashed)
                : .make(back, users: 100_000, crashedUsers: noise)
        }
        var source = SourceHistory.make(health: health)
        source.lateCounts = late.map { [.users: [lastDay: $0]] } ?? [:]
        #expect(found(by: StabilityRule(), in: source).isEmpty != alerts)
    }
}
