import Alerts
import AppHealth
import HistoryFixtures
import Testing

struct StabilityTests {
    typealias Share = (crashed: Int, of: Int)

    @Test(
        arguments: [
            // At and below the threshold of half a point.
            ((100, 20_000), (200, 20_000), true), ((200, 20_000), (300, 20_000), true),
            ((100, 20_000), (199, 20_000), false), ((200, 20_000), (299, 20_000), false),
            // Intervals that overlap.
            ((1, 100), (6, 100), false), ((10, 1000), (15, 1000), false),
            // Samples that are too small.
            ((0, 100), (60, 100), true), ((0, 99), (60, 99), false), ((0, 99), (60, 100), false),
            ((0, 100), (60, 99), false), ((0, 1), (1, 1), false),
            // No fall, no rate, impossible counts, extremes.
            ((300, 20_000), (100, 20_000), false), ((100, 20_000), (100, 20_000), false),
            ((0, 0), (900, 1000), false),
            ((0, 1000), (0, 0), false), ((0, 1000), (1001, 1000), false), ((-5, 1000), (500, 1000), false),
            ((0, 1000), (1000, 1000), true), ((0, .max), (.max, .max), true),
            ((.max, .max), (0, .max), false),
        ] as [(Share, Share, Bool)])
    func fallIsToldFromTheThresholdOn(before: Share, after: Share, fires: Bool) {
        let users = [
            HealthDay.make(1, users: before.of, crashedUsers: before.crashed),
            .make(0, users: after.of, crashedUsers: after.crashed),
        ]
        #expect(found(by: StabilityDrop(), in: .make(health: users)).map(\.back) == (fires ? [0] : []))
        // The same counts as sessions, where the source does not know users.
        let sessions = users.map {
            HealthDay(date: $0.date, sessions: $0.users, crashedSessions: $0.crashedUsers)
        }
        let source = SourceHistory.make(knows: [.sessions], health: sessions)
        #expect(found(by: StabilityDrop(), in: source).map(\.back) == (fires ? [0] : []))
    }

    /// Days with so many of 10,000 users who met a crash, the last day last; nil is a day without figures.
    private func history(_ crashed: Int?..., users: Int = 10_000) -> SourceHistory {
        .make(
            health: crashed.reversed().enumerated().reversed().compactMap { back, crashed in
                crashed.map { .make(back, users: users, crashedUsers: $0) }
            })
    }

    @Test func dayAfterAGapIsNotCompared() {
        #expect(found(by: StabilityDrop(), in: history(50, nil, 900)).isEmpty)
        #expect(found(by: StabilityDrop(), in: history(50, 900, nil)).map(\.back) == [1])
    }

    @Test func usersThatAreMissingOnSomeDaysDoNotFallBackToSessions() {
        let source = SourceHistory.make(health: [
            .make(2, users: 5000, crashedUsers: 20), .make(1, sessions: 10_000, crashed: 50),
            .make(0, sessions: 10_000, crashed: 900),
        ])
        #expect(found(by: StabilityDrop(), in: source).isEmpty)
    }

    @Test func anAppThatTellsNoUsersAtAllIsJudgedBySessions() {
        let source = SourceHistory.make(health: [
            .make(1, sessions: 10_000, crashed: 50), .make(0, sessions: 10_000, crashed: 900),
        ])
        #expect(found(by: StabilityDrop(), in: source).map(\.back) == [0])
    }

    @Test func dayThatIsNotOverIsNotJudged() {
        let source = history(50, 900)
        #expect(found(by: StabilityDrop(), in: source, asOf: Instant(startOf: .back(0))).isEmpty)
        #expect(found(by: StabilityDrop(), in: source, asOf: Instant(startOf: .back(-1))).count == 1)
        #expect(found(by: StabilityDrop(), in: source, asOf: Instant(startOf: .back(40))).isEmpty)
    }

    @Test(
        arguments: zip(
            [0.5, 5, 8.5, 8.6], [true, true, true, false]))
    func thresholdCanBeSet(points: Double, fires: Bool) {
        #expect(found(by: StabilityDrop(points: points), in: history(50, 900)).isEmpty != fires)
    }

    @Test func recoveryClosesEachFallOnce() {
        let source = history(50, 300, 300, 60, 50, 50, 300, 310, 70, 50)
        #expect(found(by: StabilityDrop(), in: source).map(\.back) == [8, 3])
        #expect(found(by: StabilityRecovery(), in: source).map(\.back) == [6, 1])
    }

    @Test func recoveryClosesAllFallsBeforeIt() {
        let source = history(50, 300, 900, 600, 65)
        #expect(found(by: StabilityDrop(), in: source).map(\.back) == [3, 2])
        let recoveries = found(by: StabilityRecovery(), in: source)
        #expect(recoveries.map(\.back) == [0])
        #expect(recoveries.map(\.sentence) == ["Crash free users recovered to 99.35% after 3 days."])
    }

    @Test(arguments: [(70, true), (71, false), (50, true), (0, true), (300, false)])
    func recoveryIsWithinAFifthOfAPoint(crashed: Int, recovers: Bool) {
        #expect(found(by: StabilityRecovery(), in: history(50, 300, crashed)).isEmpty != recovers)
        #expect(found(by: StabilityRecovery(), in: history(150, 500, crashed + 100)).isEmpty != recovers)
    }

    @Test func recoveryWaitsForADayWithASample() {
        var source = history(50, 300, nil, nil, 50)
        source.health.insert(.make(1, users: 99, crashedUsers: 0), at: 2)
        #expect(found(by: StabilityRecovery(), in: source).map(\.back) == [0])
        #expect(found(by: StabilityRecovery(), in: history(50, 50, 50)).isEmpty)
    }

    @Test(arguments: [
        (0, 25_000, "100.00%"), (1, 25_000, "99.99%"), (1, .max, "99.99%"), (25_000, 25_000, "0.00%"),
        (125, 25_000, "99.50%"),
    ])
    func rateIsAllOnlyWhenNothingCrashed(crashed: Int, users: Int, rate: String) {
        let source = SourceHistory.make(health: [
            .make(2, users: 25_000, crashedUsers: 300), .make(1, users: 25_000, crashedUsers: 2000),
            .make(0, users: users, crashedUsers: crashed),
        ])
        let sentences = found(by: StabilityRecovery(), in: source).map(\.sentence)
        let isBack = Double(crashed) / Double(users) < 0.014
        #expect(sentences == (isBack ? ["Crash free users recovered to \(rate) after 1 day."] : []))
    }
}
