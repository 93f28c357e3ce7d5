import Statistics
import Testing

/// Rises of crashes where no sessions are known: what is found, and how often wrongly.
struct CrashCountDetectorTests {
    private static let years = 60
    private static let length = 182 + 365

    /// Crashes by day of an app to which nothing harmful happens: a weekly cycle, slow growth or none, noise of its own
    /// that lasts for days, users in a crash loop, and chance.
    private static func series(_ year: Int) -> [Int?] {
        var noise = Noise(seed: UInt64(year) &* 104_729 &+ 3)
        let mean = [0.5, 3, 20, 200, 5000][year % 5]
        let spread = [0.0, 0.1, 0.25, 0.5][year % 4]
        let growth = [0.0, 0.001, -0.001][year % 3]
        let loops = year % 2 == 0 ? 0 : 0.02
        var level = 0.0
        return (0..<length).map { day in
            level = 0.5 * level + spread * 0.87 * noise.normal()
            let usual = mean * (day % 7 < 5 ? 1 : 0.7) * exponential(level + growth * Double(day))
            let looped = noise.uniform() < loops ? noise.count(8) : 0
            return noise.count(usual) + looped
        }
    }

    @Test func falseReportsAreAsRareAsIsSaid() {
        var reports = 0
        for year in 0..<Self.years {
            let findings = CrashCountDetector().findings(in: Self.series(year)).filter { $0.day >= 182 }
            reports += episodes(of: findings, quietDays: 3, day: { $0.day }).count
        }
        let perYear = Double(reports) / Double(Self.years)
        let said = CrashCountDetector.falseReportsPerYear
        #expect(perYear <= 1.5 * said && perYear >= said / 1.5, "\(perYear) a year, \(said) is said")
    }

    /// The first nine weeks that are judged have about as many as later ones, and not four times as many.
    @Test func theFirstWeeksAreAsQuietAsLaterOnes() {
        let apps = 300
        let reports = (0..<apps).map { app in
            let findings = CrashCountDetector().findings(in: Array(Self.series(app).prefix(84)))
            return episodes(of: findings, quietDays: 3, day: { $0.day }).count
        }
        let perYear = Double(reports.reduce(0, +)) / Double(apps * (84 - 21)) * 365.25
        #expect(perYear <= 1.5 * CrashCountDetector.falseReportsPerYear, "\(perYear) a year")
    }

    /// A steady series of so many a day, oldest first, with other counts at its end.
    private func steady(_ count: Int, days: Int = 70, then end: [Int?]) -> [Int?] {
        (0..<days).map { count + ($0 * 5 % 3 - 1) * (count > 4 ? count / 5 : 0) } + end
    }

    @Test(
        arguments: [
            // Crashes of a day, those of the last days, the windows that find a rise.
            (20, [60], [1]), (20, [26], []), (20, [33, 34, 33], [3]), (0, [3], []), (0, [9], []),
            (0, [30], [1]),
            (1, [8], []), (1, [25], [1]), (1000, [1100], []), (1000, [2500], [1]), (20, [nil, 60], [1]),
            (20, [nil, nil, nil], []), (20, [0, 0, 0], []), (20, [.max], [1]), (20, [-5], []),
        ] as [(Int, [Int?], [Int])])
    func risesAreFoundOnTheDayTheyAreSure(usual: Int, end: [Int?], windows: [Int]) {
        let findings = CrashCountDetector().findings(in: steady(usual, then: end))
        #expect(findings.map(\.window) == windows)
    }

    @Test func gapsNeitherRaiseNorTeach() throws {
        let whole = steady(20, then: [80])
        var gaps = whole
        for place in stride(from: 3, to: 69, by: 4) { gaps[place] = nil }
        let (all, some) = (CrashCountDetector().findings(in: whole), CrashCountDetector().findings(in: gaps))
        let (first, second) = (try #require(all.first), try #require(some.first))
        #expect(all.count == 1 && some.count == 1)
        #expect(abs(first.expected - 20) < 2 && abs(second.expected - 20) < 2)
        #expect(first.baselineDays == 56 && second.baselineDays == 42)
        #expect(first.range.contains(20) && !first.range.contains(80) && first.ratio > 3.5)
        var zeros = gaps.map { $0 ?? 0 }
        zeros[70] = 25
        #expect(CrashCountDetector().findings(in: Array(gaps.prefix(70)) + [25]).isEmpty)
    }

    @Test func aLevelThatStaysIsTheUsualAfterAMonth() {
        let series = steady(20, then: Array(repeating: 80, count: 120))
        let findings = CrashCountDetector().findings(in: series)
        #expect(findings.first?.day == 70)
        #expect(findings.allSatisfy { $0.day < 110 })
    }

    @Test(arguments: [0, 5, 20])
    func aYoungSeriesOnlyTeaches(days: Int) {
        #expect(CrashCountDetector().findings(in: steady(5, days: days, then: [100])).isEmpty)
    }
}
