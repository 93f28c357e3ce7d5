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
