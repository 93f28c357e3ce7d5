import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// Many made histories, checked every day.
struct ReleaseLooksTests {
    /// Three earlier releases and a new one whose crash rate is so many times theirs, over 28 days each; first
    /// days crash twice as much, and every day has a noise of its own that all releases share.
    ///
    /// - Parameter later: the ratios of the days after the third, which follow each other in spans of equal length.
    private func index(
        ratio: Double, later: [Double] = [], seed: UInt64, spread: Double = 0.1
    ) -> HistoryIndex {
        var random = Noise(seed: seed)
        let span = 28
        var health: [HealthDay] = [.make(4 * span, of: "0", sessions: 20_000, crashed: 100)]
        var sums = [Int: (sessions: Int, crashed: Int)]()
        for release in 1...4 {
            for age in 0..<span {
                let back = (4 - release) * span + (span - 1 - age)
                let sessions = min(20_000, 2000 * (age + 1))
                let part = later.isEmpty || age < 3 ? nil : (age - 3) * later.count / (span - 3)
                let own = part.map { later[$0] } ?? ratio
                let rate = 0.005 * (1 + 1 / Double(age + 1)) * (release == 4 ? own : 1)
                let mean = Double(sessions) * rate * max(0.3, 1 + spread * random.normal())
                let crashed = min(
                    sessions, max(0, Int((mean + mean.squareRoot() * random.normal()).rounded())))
                health.append(.make(back, of: "\(release)", sessions: sessions, crashed: crashed))
                sums[back] = (20_000, crashed + (20_000 - sessions) / 200)
            }
        }
        health += sums.sorted { $0.key < $1.key }.map {
            .make($0.key, sessions: $0.value.sessions, crashed: min($0.value.crashed, $0.value.sessions))
        }
        return HistoryIndex(
            .make(.make(health: health)), asOf: reportTime,
            targets: Targets(target: 0.99, critical: 0.985) ?? .standard)
    }

    private func counts(ratio: Double, later: [Double] = []) -> [String: Int] {
        var found: [String: Int] = [:]
        for seed in 0..<60 {
            let court = ReleaseEvaluator(index(ratio: ratio, later: later, seed: UInt64(seed)))
            let reached = court.firsts().filter { $0.evaluation.label == "4" }
            for one in Set(reached.map(\.evaluation.verdict.name)) { found[one, default: 0] += 1 }
            // A claim of any day holds on the last one, unless later days took it back.
            let comparison = court.evaluation(of: "4").basis?.comparison
            if comparison?.isWorse == true { found["worse", default: 0] += 1 }
            if comparison?.claim != nil { found["claimed", default: 0] += 1 }
        }
        return found
    }

    @Test func equalReleasesAreSeldomHeldOnAnyDay() {
        let found = counts(ratio: 1)
        #expect(found["worse", default: 0] <= 2, "\(found)")
        #expect(found["roll back"] == nil && found["go", default: 0] >= 50, "\(found)")
    }

    @Test func releasesOfTwiceTheRateAreHeld() {
        let found = counts(ratio: 2)
        #expect(found["worse", default: 0] >= 57 && found["hold", default: 0] >= 57, "\(found)")
    }

    /// A claim is taken back by later days that are better, and by others as seldom as a sound release is claimed to be worse.
    @Test(
        arguments: [
            ([1.5], 0), ([1.2], 0), ([1], 3), ([0.4], 60),
            // What is bad again afterwards is held again.
            ([0.4, 3], 2),
        ] as [([Double], Int)])
    func aClaimIsTakenBackByBetterDaysAlone(later: [Double], freed: Int) {
        let found = counts(ratio: 4, later: later)
        let claimed = found["claimed", default: 0]
        #expect(claimed >= 57, "\(found)")
        let gone = claimed - found["worse", default: 0]
        #expect(later == [0.4] ? gone >= 55 : gone <= freed, "\(found)")
    }

    @Test func releasesOfFourTimesTheRateAreRolledBack() {
        let found = counts(ratio: 4)
        #expect(found["roll back", default: 0] >= 58 && found["go"] == nil, "\(found)")
    }
}

/// Deviates that are the same on every run: sums of twelve even ones.
private struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return sum + Double(state >> 11) / Double(1 << 53)
        }
    }
}
