import Testing

@testable import Statistics

/// What is said of counts that are approximate: simulated, with the error as large as it may be, the same on all days.
struct ApproximateCountsTests {
    private static let series = 200

    /// Two releases that crash equally often, of many sessions, each counted with an error of its own that all its days
    /// share; how many series lead to a claim.
    private func claims(error: Double, stated: Double, ratio: Double = 1) -> Int {
        (0..<Self.series).count { seed in
            var noise = Noise(seed: UInt64(seed) * 7919 + 1)
            let (newMiss, oldMiss) = (1 + error * noise.normal(), 1 + error * noise.normal())
            let days = (0..<28).map { _ -> ReleaseDayCounts? in
                let crashed = (noise.count(20_000 * ratio), noise.count(20_000))
                return ReleaseDayCounts(
                    newSessions: Int(2_000_000 * newMiss), newCrashed: crashed.0,
                    oldSessions: Int(2_000_000 * oldMiss), oldCrashed: crashed.1, newDeviation: stated,
                    oldDeviation: stated)
            }
            return ReleaseRegressionTest().finding(in: days) != .notShown
        }
    }

    /// The error of the counts, and the most claims of 200 against a release that crashes as the other one does.
    @Test(arguments: [0.005, 0.02, 0.05])
    func equalReleasesAreSeldomClaimedWorse(error: Double) {
        let found = claims(error: error, stated: error)
        #expect(found <= 10, "\(found) of \(Self.series)")
    }

    /// Taken as exact, the same counts lead to many claims: it is the stated error that holds them back.
    @Test func theErrorIsWhatHoldsClaimsBack() {
        let (unstated, stated) = (claims(error: 0.05, stated: 0), claims(error: 0.05, stated: 0.05))
        #expect(unstated > 3 * max(stated, 1), "\(unstated), \(stated) of \(Self.series)")
    }

    @Test func worseReleasesAreStillClaimed() {
        let found = claims(error: 0.005, stated: 0.005, ratio: 1.25)
        #expect(found >= 195, "\(found) of \(Self.series)")
    }

    /// Not counting is no error: what is exact gives the same as before, to the last bit.
    @Test func exactCountsAreAsBefore() {
        #expect(claims(error: 0.05, stated: 0) == claims(error: 0.05, stated: 0))
        let days = steady(140)
        let exact = days.map { $0.flatMap { DayCount(total: $0.total, crashed: $0.crashed, deviation: nil) } }
        #expect(CrashRateDropDetector().findings(in: days) == CrashRateDropDetector().findings(in: exact))
        let use = (0..<140).map { Optional(1_000 + $0 * 13 % 40) }
        #expect(
            UsageAnomalyDetector().findings(in: use)
                == UsageAnomalyDetector().findings(in: use, deviation: 0))
    }

    /// A rise of the crashed share that a wrong count of the last days explains is no finding; a larger one is.
    @Test(
        arguments: [
            (nil, 0.8, true), (0.12, 0.8, false), (0.003, 0.8, true), (0.12, 0.3, true), (nil, 1, false),
        ] as [(Double?, Double, Bool)])
    func dropsThatTheErrorExplainsAreNotFound(deviation: Double?, counted: Double, isFound: Bool) {
        var days = steady(140)
        for place in 130..<140 {
            days[place] = days[place].flatMap {
                DayCount(
                    total: Int(Double($0.total) * counted), crashed: $0.crashed, deviation: deviation)
            }
        }
        let findings = CrashRateDropDetector().findings(in: days)
        #expect(findings.isEmpty != isFound, "\(findings)")
        #expect(findings.allSatisfy { ($0.deviations == nil) == (deviation == nil) })
    }

    /// The interval of a drop is wider by the errors of both its windows.
    @Test func intervalsOfDropsAreWider() throws {
        func width(_ deviation: Double?) throws -> Double {
            let finding = DropFinding(
                day: 9, window: 1, score: 4, crashed: 300_000, total: 10_000_000, expected: 0.02,
                dispersion: 0.01, baselineTotal: 560_000_000, baselineDays: 56,
                deviations: DropFinding.Deviations(window: deviation, baseline: deviation))
            return try #require(finding.rise).width
        }
        // 1.96 √((0.03 d)² + (0.02 d)²) on either side, far more than chance.
        expectClose(try width(0.01) / 2, 1.96 * 0.01 * 0.001_3.squareRoot(), within: 0.02)
        #expect(try width(nil) < 0.000_3)
        #expect(DropFinding.Deviations(window: nil, baseline: nil) == nil)
    }

    @Test(arguments: [(0, true), (0.06, false), (0.003, true)] as [(Double, Bool)])
    func useThatTheErrorExplainsIsNotFound(deviation: Double, isFound: Bool) {
        var use = (0..<140).map { Optional(1_000_000 + $0 * 13 % 40 * 500) }
        use[135] = 850_000
        let findings = UsageAnomalyDetector().findings(in: use, deviation: deviation)
        #expect(findings.isEmpty != isFound)
    }

    @Test(arguments: [(0, true), (0.3, false), (0.003, true)] as [(Double, Bool)])
    func issuesThatTheErrorExplainsAreNotFound(deviation: Double, isFound: Bool) throws {
        let sessions = [Int](repeating: 100_000, count: 800)
        let affected = (0..<800).map { $0 >= 790 ? 260 : 100 + $0 % 7 }
        let series = try #require(
            IssueSeries(sessions: sessions, affected: [affected], deviation: deviation))
        #expect(IssueVelocityDetector().findings(in: series).isEmpty != isFound)
    }

    private func steady(_ days: Int) -> [DayCount?] {
        (0..<days).map { DayCount(total: 10_000_000, crashed: 100_000 + $0 * 37 % 11 * 100) }
    }
}

extension ApproximateCountsTests {
    /// A month whose true rate is what the target allows, counted with an error that all its days share; how often the
    /// budget is said to be spent.
    @Test(arguments: [(0.01, true), (0.01, false)])
    func aBudgetIsSeldomSpentByTheErrorAlone(error: Double, isStated: Bool) {
        let spent = (0..<Self.series).count { seed in
            var noise = Noise(seed: UInt64(seed) * 104_729 + 3)
            let miss = 1 + error * noise.normal()
            let days = (0..<28).map { _ in
                DayCount(
                    total: Int(10_000_000 * miss), crashed: noise.count(100_000),
                    deviation: isStated ? error : nil)
            }
            return ErrorBudget(days, target: 0.99)?.forecast == .spent
        }
        // Half of them without the error stated; of those with it no more than the 5% of both sides.
        #expect(isStated ? spent <= 12 : spent > 70, "\(spent) of \(Self.series)")
    }

    @Test func theEndOfABudgetIsLessSure() throws {
        func span(_ deviation: Double?) throws -> (Int, Int) {
            let crashed = Array(repeating: 40_000, count: 21) + Array(repeating: 150_000, count: 7)
            let days = crashed.map { DayCount(total: 10_000_000, crashed: $0, deviation: deviation) }
            let budget = try #require(ErrorBudget(days, target: 0.99))
            guard case .ends(let earliest, let latest) = budget.forecast else {
                Issue.record("\(budget.forecast)")
                return (0, 0)
            }
            return (earliest, latest ?? 91)
        }
        let (exact, sketched) = (try span(nil), try span(0.03))
        #expect(sketched.0 < exact.0 && sketched.1 > exact.1, "\(exact) \(sketched)")
    }

    /// No day without figures makes the rest look exact, and none makes an exact day approximate.
    @Test(
        arguments: [([nil, nil], nil), ([0.01, nil], 0.005), ([0.01, 0.01], 0.01)] as [([Double?], Double?)])
    func theErrorOfABudgetIsThatOfItsDays(deviations: [Double?], whole: Double?) throws {
        let days = deviations.map { DayCount(total: 1000, crashed: 5, deviation: $0) } + [nil]
        let found = try #require(ErrorBudget(days, target: 0.99)).deviation
        #expect((found == nil) == (whole == nil) && abs((found ?? 0) - (whole ?? 0)) < 1e-12)
    }
}
