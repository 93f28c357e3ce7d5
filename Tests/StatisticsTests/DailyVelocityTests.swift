import Statistics
import Testing

/// The false reports of issues by days, measured on made-up series in which nothing harmful happens.
struct DailyVelocityTests {
    private static let years = 24
    private static let length = 182 + 365

    /// Issues with shares by Zipf's law, with a weekly cycle of use, correlated noise of their own and of the
    /// whole app, and chance.
    private static func series(_ year: Int) -> IssueSeries? {
        var noise = Noise(seed: UInt64(year) &* 7919 &+ 17)
        let size = [500.0, 5000, 50_000, 500_000][year % 4]
        let spread = [0.1, 0.25, 0.5][year % 3]
        let sessions = (0..<length).map { day in
            Int(size * (day % 7 < 5 ? 1 : 0.7) * (1 + 0.03 * noise.normal()))
        }
        var affected: [[Int]] = []
        for rank in 1...20 {
            var level = 0.0
            affected.append(
                sessions.map { whole in
                    level = 0.5 * level + spread * 0.87 * noise.normal()
                    return noise.count(Double(max(whole, 0)) * 0.01 / Double(rank) * exponential(level))
                })
        }
        return IssueSeries(sessions: sessions.map { max($0, 0) }, affected: affected)
    }

    @Test func falseReportsAreAsRareAsIsSaid() throws {
        var reports = 0
        for year in 0..<Self.years {
            let series = try #require(Self.series(year))
            let findings = IssueVelocityDetector(pace: .daily).findings(in: series)
            for issue in series.affected.indices {
                let days = findings.filter { $0.issue == issue && $0.hour >= 182 }
                reports += episodes(of: days, quietDays: 28, day: { $0.hour }).count
            }
        }
        let perYear = Double(reports) / Double(Self.years)
        let said = VelocityPace.daily.falseReportsPerYear
        #expect(perYear <= 1.5 * said && perYear >= said / 1.5, "\(perYear) a year, \(said) is said")
    }
}

/// e to the power of a small number.
private func exponential(_ value: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for step in 1...20 {
        term *= value / Double(step)
        sum += term
    }
    return sum
}

/// Numbers drawn from a seed, the same on every machine: SplitMix64 of Steele, Lea and Flood (2014).
private struct Noise {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((word ^ (word >> 31)) >> 11) / 0x1p53
    }

    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }

    /// A count about its mean: Poisson when it is small, else normal.
    mutating func count(_ mean: Double) -> Int {
        guard mean < 30 else { return max(0, Int((mean + mean.squareRoot() * normal()).rounded())) }
        var (count, product) = (0, uniform())
        let limit = exponential(-mean / 8)
        let last = (0..<8).reduce(1.0) { value, _ in value * limit }
        while product > last {
            count += 1
            product *= uniform()
        }
        return count
    }
}
