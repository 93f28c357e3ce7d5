import Statistics
import Testing

struct UsageAnomalyDetectorTests {
    @Test func aSteadyAppIsQuiet() {
        #expect(UsageAnomalyDetector().findings(in: steady(200)).isEmpty)
    }

    @Test(arguments: [0.0, 0.4, 2.5]) func aShiftIsFoundOnItsFirstDay(factor: Double) throws {
        var series = steady(120)
        for day in 105..<120 { series[day] = Int(Double(series[day] ?? 0) * factor) }
        let first = try #require(UsageAnomalyDetector().findings(in: series).first)
        #expect(first.day == 105)
        #expect(first.expected > 500 && first.expected < 1_200)
    }

    /// The first weeks only teach: what was found in them could not be judged again.
    @Test(arguments: [(30, []), (48, []), (49, [49])]) func theFirstDaysAreNotReported(day: Int, found: [Int])
    {
        var series = steady(60)
        series[day] = Int(Double(series[day] ?? 0) * 0.4)
        #expect(UsageAnomalyDetector().findings(in: series).map(\.day) == found)
    }

    /// Use with a weekly cycle and 3% of noise, times what a story says of each day, and its mean.
    private func story(_ use: Double, seed: UInt64, days: Int = 190, _ factor: (Int) -> Double)
        -> (series: [Int?], means: [Double])
    {
        var noise = Noise(seed: seed)
        let means = (0..<days).map { use * [1, 1, 1.02, 1, 1.05, 0.8, 0.7][$0 % 7] * factor($0) }
        let series = means.map { mean in
            let level = mean * max(0, 1 + 0.03 * noise.normal())
            return Int(max(0, level + level.squareRoot() * noise.normal()))
        }
        return (series, means)
    }

    /// A young archive has no more false anomalies than an old one: with a record of its few days alone there were four times
    /// as many. Of 100 apps in 13 weeks each, 0.9 a year are about 22.
    @Test func theFirstMonthsAreAsQuietAsLaterOnes() {
        let reports = (1...100).map { seed in
            let (series, _) = story(10_000, seed: UInt64(seed), days: 140) { _ in 1 }
            return UsageAnomalyDetector().findings(in: series).count
        }
        #expect(reports.reduce(0, +) <= 22)
    }

    /// A change for good is a change for two weeks: then it is what is expected, neither half nor double.
    @Test(arguments: [300.0, 10_000, 1_000_000], [5, 0.5, 1.6])
    func aChangeForGoodHasNoEcho(use: Double, factor: Double) {
        for seed in UInt64(1)...5 {
            let (series, means) = story(use, seed: seed) { $0 < 110 ? 1 : factor }
            let findings = UsageAnomalyDetector().findings(in: series)
            #expect(
                findings.contains {
                    $0.day < 113 && abs(Double($0.count) / $0.expected - factor) < factor / 4
                })
            for finding in findings where !(110..<124).contains(finding.day) {
                #expect(abs(finding.expected / means[finding.day] - 1) < 0.3, "\(seed): \(finding)")
            }
        }
    }

    /// Use that comes back to what it was is no change, and what it was meanwhile is not expected to come again.
    @Test(arguments: [1_000.0, 10_000, 1_000_000], [1, 3, 6, 8, 11, 14, 20])
    func aReturnIsNoAnomaly(use: Double, days: Int) {
        for (seed, factor) in [(UInt64(1), 0.25), (2, 0.5), (3, 2), (4, 0.02)] {
            let (series, means) = story(use, seed: seed) { (110..<110 + days).contains($0) ? factor : 1 }
            let findings = UsageAnomalyDetector().findings(in: series)
            #expect(findings.contains { $0.day == 110 }, "\(seed)")
            for finding in findings where !(110..<110 + days).contains(finding.day) {
                #expect(abs(finding.expected / means[finding.day] - 1) < 0.3, "\(seed): \(finding)")
            }
            // All days of the first two weeks are reported.
            #expect(findings.contains { $0.day == 109 + days } == (days <= 14) || seed == 4, "\(seed)")
            for finding in findings where (110..<110 + days).contains(finding.day) && factor > 0.1 {
                #expect((Double(finding.count) < finding.expected) == (factor < 1), "\(seed): \(finding)")
            }
        }
    }

    /// After a launch and its end, or a drop in the middle of a rise, both directions are found.
    @Test(arguments: [10_000.0, 1_000_000]) func aDropAfterARiseIsFound(use: Double) {
        for seed in UInt64(1)...6 {
            let (series, _) = story(use, seed: seed) { $0 == 110 ? 1.5 : (111..<117).contains($0) ? 0.5 : 1 }
            let found = UsageAnomalyDetector().findings(in: series).filter { (105..<170).contains($0.day) }
            #expect(found.filter { Double($0.count) > $0.expected * 1.25 }.map(\.day) == [110])
            #expect(found.filter { Double($0.count) < $0.expected * 0.75 }.map(\.day) == Array(111..<117))
        }
    }

    @Test(arguments: [0.98, 1.02]) func growthIsQuiet(growth: Double) {
        var level = 50_000.0
        let series = (0..<200).map { day -> Int? in
            level *= growth
            return Int(level * (day % 7 < 5 ? 1 : 0.6)) + day * 7 % 5
        }
        #expect(UsageAnomalyDetector().findings(in: series).isEmpty)
    }

    @Test func gapsAreReadOver() throws {
        var series = steady(150)
        for day in stride(from: 4, to: 140, by: 3) { series[day] = nil }
        for day in 80..<90 { series[day] = nil }
        #expect(UsageAnomalyDetector().findings(in: series).isEmpty)
    }

    @Test func extremeSeriesAreAnswered() {
        #expect(isQuiet([]))
        #expect(isQuiet([3]))
        #expect(isQuiet(Array(repeating: nil, count: 80)))
        #expect(isQuiet(Array(repeating: 0, count: 80)))
        #expect(isQuiet(Array(repeating: .max, count: 80)))
        #expect(isQuiet(Array(repeating: -5, count: 80)))
    }

    private func isQuiet(_ series: [Int?]) -> Bool { UsageAnomalyDetector().findings(in: series).isEmpty }

    private func steady(_ days: Int) -> [Int?] {
        (0..<days).map { day in (day % 7 < 5 ? 1_000 : 700) + (day * 13) % 40 }
    }
}
