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

    /// The same without its sessions.
    private static func counted(_ series: IssueSeries) -> IssueSeries? {
        IssueSeries(sessions: series.sessions.map { _ in 1 }, affected: series.affected)
    }

    @Test(arguments: [VelocityPace.daily, .dailyCounts])
    func falseReportsAreAsRareAsIsSaid(pace: VelocityPace) throws {
        var reports = 0
        for year in 0..<Self.years {
            let whole = try #require(Self.series(year))
            let series = try #require(pace.exposure == .sessions ? whole : Self.counted(whole))
            let findings = IssueVelocityDetector(pace: pace).findings(in: series)
            for issue in series.affected.indices {
                let days = findings.filter { $0.issue == issue && $0.hour >= 182 }
                reports += episodes(of: days, quietDays: 28, day: { $0.hour }).count
            }
        }
        let perYear = Double(reports) / Double(Self.years)
        let said = pace.falseReportsPerYear
        #expect(perYear <= 1.5 * said && perYear >= said / 1.5, "\(perYear) a year, \(said) is said")
    }
}
