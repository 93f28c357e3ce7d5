import Analysis
import AppHealth
import HistoryFixtures
import Statistics
import Testing

/// Releases of an app of which one session in so many was counted, and multiplied.
struct SampledReleasesTests {
    private static let span = 28

    /// Four releases one after the other, of which the last crashes so many times as often, in an app of about 3,000
    /// counted sessions a day.
    private func history(
        seed: UInt64, ratio: Double = 1, multipliedBy factor: Int = 1, plus rest: Int = 0,
        stated: Bool = false, outOf all: Int? = nil, target: Double = 0.98
    ) -> HistoryIndex {
        var noise = Noise(seed: seed)
        let length = 4 * Self.span
        var health: [HealthDay] = []
        for back in (0...length).reversed() {
            var (total, crashed) = (0, 0)
            let newest = back == length ? 0 : 4 - back / Self.span
            let age = Self.span - 1 - back % Self.span
            let share = newest == 0 ? 1 : [0.02, 0.1, 0.3, 0.6, 0.9][min(age, 4)]
            for (release, part) in [(newest, share), (newest - 1, 1 - share)] where release >= 0 && part > 0 {
                let sessions = noise.count(3000 * part)
                let rate = 0.01 * (release == 4 ? ratio : 1)
                let bad = min(sessions, noise.count(Double(sessions) * rate))
                health.append(
                    .make(
                        back, of: "\(release)", sessions: sessions * factor + rest, crashed: bad * factor))
                (total, crashed) = (total + sessions * factor + rest, crashed + bad * factor)
            }
            health.append(.make(back, sessions: total, crashed: crashed))
        }
        let days = CivilDate.back(length)...CivilDate.back(0)
        let coverage = [
            CoverageSpan(.sessions, days, .partial(counted: 1, of: all ?? factor)),
            CoverageSpan(.releaseHealth, days),
        ]
        return HistoryIndex(
            .make(.make(health: health, coverage: stated ? coverage : nil)), asOf: reportTime,
            targets: Targets(target: target, critical: 0.95) ?? .standard)
    }

    private func basis(of index: HistoryIndex) throws -> ReleaseEvaluation.Basis {
        try #require(ReleaseEvaluator(index).evaluation(of: "4").basis)
    }

    private func pair(in index: HistoryIndex) throws -> ReleasePair {
        let lives = index.releases.lives
        let later = try #require(lives.first { $0.label == "4" })
        let earlier = try #require(lives.first { $0.label == "3" })
        return try #require(ReleasePair(later, earlier))
    }

    /// What is decided of multiplied counts, and how sure it is, is the same as of the counts that were seen.
    @Test(arguments: [1, 1.3, 2], [10, 100])
    func aSampleIsJudgedByWhatWasSeen(ratio: Double, factor: Int) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let (plain, many) = (
                history(seed: seed, ratio: ratio),
                history(seed: seed, ratio: ratio, multipliedBy: factor)
            )
            let (one, other) = (ReleaseEvaluator(plain), ReleaseEvaluator(many))
            #expect(other.evaluation(of: "4").verdict.name == one.evaluation(of: "4").verdict.name)
            #expect(
                other.firsts().map { [$0.evaluation.label, $0.evaluation.verdict.name] }
                    == one.firsts().map { [$0.evaluation.label, $0.evaluation.verdict.name] })
            let (seen, shown) = (try basis(of: plain), try basis(of: many))
            #expect(seen.total.sampling == nil && shown.total.sampling == Double(factor))
            #expect(shown.total.total == seen.total.total * factor && shown.total.seen == seen.total)
            #expect(abs(shown.crashFree.lower - seen.crashFree.lower) < 1e-9)
            #expect(abs(shown.crashFree.upper - seen.crashFree.upper) < 1e-9)
            let (first, second) = (try #require(seen.comparison), try #require(shown.comparison))
            #expect(first.isWorse == second.isWorse)
            let bounds = (try #require(first.difference), try #require(second.difference))
            #expect(abs(bounds.0.lower - bounds.1.lower) < 1e-9)
            #expect(abs(bounds.0.upper - bounds.1.upper) < 1e-9)
            #expect(try pair(in: plain).finding == pair(in: many).finding)
        }
    }

    /// Of equal releases few are worse, also where only the stated share says that they are a sample.
    @Test(arguments: [true, false])
    func equalReleasesOfASampleAreSeldomWorse(isStated: Bool) throws {
        var (worse, claims) = (0, 0)
        for seed in 1...30 as ClosedRange<UInt64> {
            // A rest that is not multiplied hides the factor.
            let index = history(
                seed: seed, multipliedBy: 100, plus: isStated ? 1 : 0, stated: isStated)
            worse += try basis(of: index).comparison?.isWorse == true ? 1 : 0
            claims += try pair(in: index).finding == .notShown ? 0 : 1
        }
        #expect(worse <= 3 && claims <= 6, "\(worse) worse, \(claims) pairs, of 30")
    }

    @Test(
        arguments: [(100, true), (1_000_000_001, false), (.max, false)]
            as [(Int, Bool)])
    func aShareOfLessThanABillionthIsNoSample(all: Int, isSample: Bool) throws {
        let index = history(seed: 3, stated: true, outOf: all)
        #expect(try (basis(of: index).total.sampling != nil) == isSample)
    }

    /// How many more sessions are needed is in the sessions that are shown.
    @Test func whatIsNeededIsInSessionsAsShown() {
        func needed(factor: Int, target: Double) -> Int? {
            let index = history(seed: 2, multipliedBy: factor, target: target)
            guard case .notEnoughData(let needed) = ReleaseEvaluator(index).evaluation(of: "4").verdict
            else { return nil }
            return needed
        }
        let targets = [0.9885, 0.989, 0.9893, 0.9897, 0.9901, 0.9904]
        let known = targets.compactMap { target -> (plain: Int, many: Int)? in
            guard let plain = needed(factor: 1, target: target),
                let many = needed(factor: 100, target: target)
            else { return nil }
            return (plain, many)
        }
        #expect(!known.isEmpty)
        #expect(known.allSatisfy { abs($0.many - 100 * $0.plain) <= 100 + $0.many / 1000 })
    }

    @Test func aReleaseOfTwiceTheRateIsStillHeld() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let index = history(seed: seed, ratio: 2, multipliedBy: 100)
            #expect(try basis(of: index).comparison?.isWorse == true)
            #expect(try pair(in: index).finding == .worse)
        }
    }

    /// Users of a release are those of one day: whether it is a sample is no matter of the other days of its life.
    @Test func usersOfADayAreOfItsSample() throws {
        let health = (0...40).reversed().flatMap { back -> [HealthDay] in
            let parts = back > 20 ? ["0": 9001] : back > 9 ? ["1": 9001] : ["1": 4001, "2": 5000]
            return [.make(back, sessions: 9001, crashed: 91)]
                + parts.map {
                    .make(
                        back, of: $0.key, sessions: $0.value, crashed: 40, users: 3000, crashedUsers: 20)
                }
        }
        let coverage = [
            CoverageSpan(.sessions, .back(12)...(.back(8)), .partial(counted: 1, of: 100)),
            CoverageSpan(.releaseHealth, .back(40)...(.back(0))),
        ]
        let report = AppAnalysis(
            .make(.make(health: health, coverage: coverage)), targets: .standard, asOf: reportTime)
        let pair = try #require(
            report.releases.pairs.first { $0.names.later == "2" && $0.names.earlier == "1" })
        func rate(_ span: PairSpan) throws -> PairRate {
            try #require(pair.rates.first { $0.span == span })
        }
        let life = try rate(.life).sampling
        #expect(try #require(life.later) > 1 && #require(life.earlier) > 1)
        // The day 9 of the later one is the last of all, that of the earlier one is in the sample.
        let atAge = try rate(.usersAtAge)
        #expect(atAge.window == .age(9))
        #expect(atAge.sampling.later == nil && atAge.sampling.earlier == 100)
        let onDay = try rate(.usersOnDay)
        #expect(onDay.window == .day(.back(0)) && onDay.sampling == .none)
    }

    /// Sums keep how many times more than by chance they vary; hidden counts are of the same sample.
    @Test func sumsOfSamplesAreSamples() throws {
        let first = try #require(DayCount(total: 3000, crashed: 300, sampling: 100))
        let second = try #require(DayCount(total: 1000, crashed: 10))
        #expect((first + first).sampling == 100 && (second + second).sampling == nil)
        #expect((first + second).sampling == 75.25 && (DayCount.nothing + first).sampling == 100)
        #expect(first.seen == DayCount(total: 30, crashed: 3) && second.seen == second)
        #expect(second.multiplied(by: 1) == second)
    }
}

/// Counts drawn from a seed, the same on every run.
private struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// About Poisson.
    mutating func count(_ mean: Double) -> Int {
        let normal = (0..<12).reduce(-6.0) { sum, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return sum + Double(state >> 11) / Double(1 << 53)
        }
        return max(0, Int((mean + mean.squareRoot() * normal).rounded()))
    }
}
