import Statistics
import Testing

struct ReleaseRegressionTestTests {
    @Test func equalReleasesAreNotClaimedWorse() {
        #expect(ReleaseRegressionTest().finding(in: days(crashed: 20)) == .notShown)
        #expect(ReleaseRegressionTest().finding(in: days(crashed: 10)) == .notShown)
    }

    @Test func aWorseReleaseIsClaimedOnce() {
        guard case .worse(let day) = ReleaseRegressionTest().finding(in: days(crashed: 40)) else {
            Issue.record("no claim")
            return
        }
        #expect(day < 4)
    }

    @Test func fewSessionsGiveNoClaim() {
        let day = ReleaseDayCounts(newSessions: 2, newCrashed: 2, oldSessions: 100_000, oldCrashed: 10)
        #expect(ReleaseRegressionTest().finding(in: [day]) == .notShown)
    }

    @Test func gapsAreReadOver() {
        #expect(ReleaseRegressionTest().finding(in: []) == .notShown)
        #expect(ReleaseRegressionTest().finding(in: [nil, nil]) == .notShown)
        #expect(ReleaseRegressionTest().finding(in: [nil] + days(crashed: 60)) != .notShown)
    }

    /// Crashed sessions a day of the new release and of the old one on the same days, its sessions on each, and the first
    /// day from the sixth on on which these leave a claim as it is.
    @Test(
        arguments: [
            // As much as the old one, which is enough to tell.
            (20, 20, 2_000, nil),
            // They show it themselves.
            (40, 20, 2_000, 5),
            // Too few to tell, or none.
            (20, 0, 20, 5), (20, 0, 0, 5),
        ] as [(Int, Int, Int, Int?)])
    func aClaimNeedsTheSameDaysWhereTheyAreEnough(new: Int, old: Int, sessions: Int, first: Int?) {
        let days = (0..<28).map { _ in
            ReleaseDayCounts(newSessions: 2_000, newCrashed: new, oldSessions: sessions, oldCrashed: old)
        }
        let found = ReleaseRegressionTest().firstDay(
            from: 5, on: days, leavingClaimOf: self.days(crashed: 40))
        #expect(found == first)
    }

    /// Days that cannot show twice the rate can show ten times as much, which the others claim.
    @Test(arguments: [(40, true), (200, false)])
    func daysAreAskedWhatTheyCanShow(claimed: Int, isLeft: Bool) {
        let days = (0..<2).map { _ in
            ReleaseDayCounts(newSessions: 2_000, newCrashed: 20, oldSessions: 2_000, oldCrashed: 20)
        }
        let found = ReleaseRegressionTest().firstDay(
            from: 0, on: days, leavingClaimOf: Array(self.days(crashed: claimed).prefix(2)))
        #expect((found == 0) == isLeft)
    }

    private func days(crashed: Int) -> [ReleaseDayCounts?] {
        (0..<28).map { day in
            ReleaseDayCounts(
                newSessions: 2_000, newCrashed: crashed + day % 3 - 1, oldSessions: 2_000, oldCrashed: 20)
        }
    }
}
