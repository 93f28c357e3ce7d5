import Foundation
import Testing

@testable import Statistics

/// What the comparison of releases must do, whatever the counts.
struct ReleaseContrastTests {
    /// Releases taken up within a fortnight, with chance, days of their own and users who move first and crash
    /// more.
    private struct Story {
        var size = 5_000.0
        var ratio = 1.0
        var early = 0.0
        var scatter = 0.05

        func days(_ seed: UInt64, factor: Int = 1) -> [ReleaseDayCounts?] {
            var random = TestRandom(seed: seed)
            func normal() -> Double {
                (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
            }
            return (0..<28).map { day in
                let share = 0.95 / (1 + exp(-0.7 * (Double(day) - 6)))
                let (new, old) = (size * share, size * (1 - share))
                let bias = early * exp2(-Double(day) / 3)
                let rates = (0.01 * ratio * exp(bias + scatter * normal()), 0.01 * exp(scatter * normal()))
                let crashed = [(new, rates.0), (old, rates.1)].map { total, rate in
                    let mean = total * rate
                    return max(0, Int((mean + mean.squareRoot() * normal()).rounded()))
                }
                return ReleaseDayCounts(
                    newSessions: Int(new) * factor, newCrashed: min(Int(new), crashed[0]) * factor,
                    oldSessions: Int(old) * factor, oldCrashed: min(Int(old), crashed[1]) * factor)
            }
        }

        /// How many of so many series lead to a claim.
        func claims(of count: UInt64) -> Int {
            (0..<count).count { ReleaseRegressionTest().finding(in: days($0)) != .notShown }
        }
    }

    /// Series that differ in nothing, at every size; and such whose first users crash more for a few days.
    @Test(arguments: [500, 5_000, 50_000, 500_000] as [Double], [0, 0.1])
    func equalReleasesAreSeldomClaimedWorse(size: Double, early: Double) {
        let claims = Story(size: size, early: early).claims(of: 200)
        #expect(claims <= 10, "\(claims) of 200")
    }

    @Test(
        arguments: [(5_000, 1.5, 180), (50_000, 1.25, 180), (500_000, 1.25, 195)] as [(Double, Double, Int)])
    func worseReleasesAreClaimed(size: Double, ratio: Double, least: Int) {
        let claims = Story(size: size, ratio: ratio).claims(of: 200)
        #expect(claims >= least, "\(claims) of 200")
    }

    @Test func betterReleasesAreNotClaimedWorse() {
        #expect(Story(size: 50_000, ratio: 0.8).claims(of: 200) == 0)
    }

    /// What both had in common on a day is no difference.
    @Test func daysThatWereBadForBothShowNothing() {
        let days = (0..<28).map { day in
            ReleaseDayCounts(
                newSessions: 10_000, newCrashed: day % 7 == 0 ? 600 : 100, oldSessions: 10_000,
                oldCrashed: day % 7 == 0 ? 600 : 100)
        }
        #expect(ReleaseRegressionTest().finding(in: days) == .notShown)
    }

    /// Twice as much of everything says the same more surely.
    @Test(arguments: 0..<20)
    func doublingAllCountsStrengthensWhatIsShown(seed: UInt64) {
        func evidence(_ ratio: Double, _ factor: Int) -> Double {
            var contrast = ReleaseContrast()
            for (age, day) in Story(ratio: ratio).days(seed, factor: factor).enumerated() {
                if let day { contrast.add(day, age: age) }
            }
            return contrast.logEValue
        }
        #expect(evidence(2, 2) > evidence(2, 1))
        #expect(evidence(0.5, 2) < evidence(0.5, 1))
    }

    /// A day counts by its age, not by when it is reported.
    @Test(arguments: 0..<10)
    func orderOfDaysChangesNothing(seed: UInt64) {
        let days = Array(Story(ratio: 1.3).days(seed).enumerated())
        var random = TestRandom(seed: seed)
        func evidence(_ days: [(offset: Int, element: ReleaseDayCounts?)]) -> Double {
            var contrast = ReleaseContrast()
            for (age, day) in days { if let day { contrast.add(day, age: age) } }
            return contrast.logEValue
        }
        let (reported, shuffled) = (evidence(days), evidence(days.shuffled(using: &random)))
        #expect(abs(reported - shuffled) < 1e-9 * max(1, abs(reported)))
    }

    @Test func extremeCountsAreAnswered() throws {
        for (new, newCrashed, old, oldCrashed) in [
            (0, 0, 5, 1), (5, 5, 0, 0), (5, 5, 5, 5), (5, 0, 5, 0), (1, 1, 1_000_000_000_000, 0),
            (1_000_000_000_000, 20_000_000_000, 1_000_000_000_000, 10_000_000_000),
        ] {
            var contrast = ReleaseContrast()
            let day = try #require(
                ReleaseDayCounts(
                    newSessions: new, newCrashed: newCrashed, oldSessions: old, oldCrashed: oldCrashed))
            for age in 0..<5 { contrast.add(day, age: age) }
            #expect(contrast.logEValue.isFinite, "\(day)")
        }
        #expect(ReleaseContrast().logEValue == 0)
    }
}
