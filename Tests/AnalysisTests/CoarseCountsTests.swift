import AppHealth
import Estimates
import HistoryFixtures
import Testing

@testable import Analysis

/// What rates and intervals reveal of the counts that they are made of, where counts are hidden.
struct CoarseCountsTests {
    /// A rate and its interval are a function of the coarse share, so all pairs with the same one fit them.
    @Test func manyCountsFitEachRate() {
        var wholes: [Fraction: ClosedRange<Int>] = [:]
        var pairs: [Fraction: Int] = [:]
        // The last whole of its kind, so that each kind is complete.
        for whole in 1...2950 {
            for part in 0...whole {
                guard let shown = Fraction(part, of: whole)?.coarse else { continue }
                let range = wholes[shown] ?? whole...whole
                wholes[shown] = min(range.lowerBound, whole)...max(range.upperBound, whole)
                pairs[shown, default: 0] += 1
            }
        }
        #expect(pairs.values.min() == 18)
        // From 20% below to 20% above is a factor of 1.5.
        #expect(wholes.values.allSatisfy { Double($0.upperBound) / Double($0.lowerBound) >= 1.5 })
    }

    /// Whatever the counts are, the interval is not narrower than that of counts 5/3 as large, and holds their rate, which
    /// is near the shown one.
    @Test func intervalIsAsWideAsTheCountsAllow() throws {
        for whole in 1...600 {
            for part in 0...whole {
                let share = try #require(Fraction(part, of: whole))
                let (exact, shown) = (try #require(share.interval), try #require(share.coarse.interval))
                let ratio = (shown.upper - shown.lower) / (exact.upper - exact.lower)
                #expect(ratio >= (3.0 / 5).squareRoot(), "\(part) of \(whole): \(share.coarse)")
                #expect((shown.lower...shown.upper).contains(share.value), "\(part) of \(whole)")
                #expect(
                    abs(share.coarse.value - share.value) < (whole < 30 ? 0.07 : 0.02),
                    "\(part) of \(whole): \(share.coarse)")
            }
        }
    }

    /// Of what pages add up, days with few users weigh alike, whatever their rate.
    @Test func sumsOfHiddenCountsAreNear() throws {
        let history = AppHistory.make(
            .make(health: (0..<40).map { HealthDay.make($0, users: 20, crashedUsers: $0 % 4 == 0 ? 1 : 0) }))
        func analysis(_ audience: Audience) -> AppAnalysis {
            AppAnalysis(history, targets: .standard, asOf: reportTime, audience: audience)
        }
        let (team, all) = (analysis(.team), analysis(Audience(.public)))
        let left = try #require(team.lastDay.budget?.leftShare)
        #expect(abs(left - (try #require(all.lastDay.budget?.leftShare))) < 1)
        for (exact, shown) in zip(team.weeks, all.weeks) {
            let (rate, near) = (try #require(exact.crashed), try #require(shown.crashed))
            #expect(abs(near.value - rate.value) < 0.01, "\(near) \(rate)")
            #expect(shown.budget == all.day(shown.week.last).budget?.remaining)
        }
    }

    @Test(
        arguments: [
            (0, 437, 0, 494), (5, 437, 6, 494), (437, 437, 494, 494), (1, 437, 1, 494), (436, 437, 493, 494),
            (1, 1, 1, 1), (1, 2, 1, 2), (14, 29, 5, 11), (0, 29, 0, 1),
            (1, 29, 1, 14), (29, 30, 37, 38), (60, 20_000, 53, 17_634), (.max - 1, .max, nil, nil),
        ] as [(Int, Int, Int?, Int?)])
    func coarseShareIsCloseAndNeverNoneOrAll(part: Int, whole: Int, coarsePart: Int?, coarseWhole: Int?)
        throws
    {
        let share = try #require(Fraction(part, of: whole))
        if let coarsePart { #expect(share.coarse.numerator == coarsePart) }
        if let coarseWhole { #expect(share.coarse.denominator == coarseWhole) }
        #expect((share.coarse.numerator == 0) == (part == 0))
        #expect((share.coarse.numerator == share.coarse.denominator) == (part == whole))
        #expect(share.coarse.coarse == share.coarse)
    }

    /// The widest interval stays within the factor that hides the count, and within 0…1.
    @Test(arguments: [
        (0.99, 0.985), (0.99, 0.993), (0.5, 0.1), (0.9999, 0.99985), (0.01, 0), (0.99, 1), (0.7, 0.7),
    ])
    func boundIsAsFarAsBeforeToATenth(rate: Double, bound: Double) {
        let shown = CoarseCounts.bound(bound, of: rate)
        #expect((0...1).contains(shown))
        #expect(abs(abs(shown - rate) - abs(bound - rate)) <= abs(bound - rate) * 0.1)
        #expect((shown < rate) == (bound < rate) && (shown > rate) == (bound > rate))
    }

    /// Two apps of different sizes have the same sections for everybody, as far as they show rates.
    @Test func ratesOfHiddenCountsAreCoarse() throws {
        func analysis(_ sessions: Int, _ users: Int) -> AppAnalysis {
            AppAnalysis(
                .make(
                    .make(
                        health: (0..<9).flatMap { back in
                            [
                                HealthDay.make(
                                    back, sessions: sessions, crashed: 1, users: users, crashedUsers: 1),
                                .make(back, of: "1.0", sessions: sessions, crashed: 1),
                            ]
                        },
                        releases: [Release(version: Version("1.0"), releasedAt: .noon(back: 8))],
                        issues: [AppHealth.Issue(id: "a", title: "A")], issueDays: [.make("a", users: 1)])),
                targets: .standard, asOf: reportTime, audience: Audience(.public))
        }
        let (small, large) = (analysis(14_000, 5_200), analysis(20_000, 8_000))
        #expect(small.stability.rates == large.stability.rates)
        #expect(small.stability.health != large.stability.health)
        let day = try #require(small.facts.days.last)
        #expect(small.day(day).sessions == large.day(day).sessions)
        #expect(small.day(day).users == large.day(day).users)
        #expect(small.day(day).health == large.day(day).health)
        let (release, other) = (
            try #require(small.releases.all.first), try #require(large.releases.all.first)
        )
        #expect(release.days == other.days && release.stage == other.stage)
        #expect(release.adoption == other.adoption)
    }
}
