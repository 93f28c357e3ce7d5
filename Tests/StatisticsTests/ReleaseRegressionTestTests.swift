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

    private func days(crashed: Int) -> [ReleaseDayCounts?] {
        (0..<28).map { day in
            ReleaseDayCounts(
                newSessions: 2_000, newCrashed: crashed + day % 3 - 1, oldSessions: 2_000, oldCrashed: 20)
        }
    }
}
