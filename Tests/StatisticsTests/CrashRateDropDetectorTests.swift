import Foundation
import Testing

@testable import Statistics

struct CrashRateDropDetectorTests {
    @Test func aSteadyAppIsQuiet() {
        #expect(CrashRateDropDetector().findings(in: steady(200)).isEmpty)
    }

    @Test(arguments: [1_000, 20_000, 1_000_000]) func aDropIsFoundOnItsFirstNight(sessions: Int) throws {
        var series = steady(130, sessions: sessions)
        for day in 110..<130 { series[day] = DayCount(total: sessions, crashed: sessions / 12) }
        let first = try #require(CrashRateDropDetector().findings(in: series).first)
        #expect(first.day == 110 && first.window == 1)
        expectClose(first.share, 1 / 12.0, within: 0.01)
        #expect(first.expected > 0.005 && first.expected < 0.02)
        #expect(try #require(first.rise).lower > 0.04)
    }

    @Test func aSmallLastingDropIsFoundOverSeveralNights() throws {
        var series = steady(140, sessions: 2_000)
        for day in 120..<140 { series[day] = DayCount(total: 2_000, crashed: 40) }
        let first = try #require(CrashRateDropDetector().findings(in: series).first)
        #expect(first.day >= 120 && first.day < 127)
    }

    @Test func aDropThatIsOverHidesNoLaterOne() throws {
        var series = steady(160)
        for day in 110..<118 { series[day] = DayCount(total: 10_000, crashed: 350) }
        for day in 145..<150 { series[day] = DayCount(total: 10_000, crashed: 180) }
        let days = CrashRateDropDetector().findings(in: series).map(\.day)
        #expect(days.contains(110) && days.contains { (145..<148).contains($0) })
        #expect(!days.contains { (125..<145).contains($0) })
    }

    /// After three nights on which the rate is back, no longer window holds the nights of the drop once more.
    @Test(arguments: 3...8) func aDropThatIsOverIsNotFoundInLaterWindows(quiet: Int) throws {
        var series = steady(160)
        for day in 110..<114 { series[day] = DayCount(total: 10_000, crashed: 350) }
        let findings = CrashRateDropDetector().findings(in: series)
        #expect(findings.contains { $0.day == 110 } && !findings.contains { $0.day > 116 })
        // A drop after them is measured by its own days.
        series[114 + quiet] = DayCount(total: 10_000, crashed: 350)
        let second = try #require(
            CrashRateDropDetector().findings(in: series).first { $0.day == 114 + quiet })
        #expect(second.window == 1 && second.crashed == 350)
    }

    /// What a drop must amount to is learned from noise, not from what was found of earlier ones.
    @Test(arguments: 1...20) func lastingDropsHideNoLaterOne(seed: Int) {
        let findings = CrashRateDropDetector().findings(in: lastingDrops(seed: UInt64(seed)))
        #expect(findings.contains { (240..<253).contains($0.day) })
        #expect(findings.contains { $0.day == 262 })
    }

    @Test func aDropThatStaysBecomesTheUsual() throws {
        var series = steady(220)
        for day in 110..<220 { series[day] = DayCount(total: 10_000, crashed: 350) }
        let days = CrashRateDropDetector().findings(in: series).map(\.day)
        #expect(days.first == 110 && days.allSatisfy { $0 < 150 })
    }

    @Test func anImprovementIsNoFinding() {
        var series = steady(140)
        for day in 100..<140 { series[day] = DayCount(total: 10_000, crashed: 5) }
        #expect(CrashRateDropDetector().findings(in: series).isEmpty)
    }

    @Test func gapsAndEmptyDaysAreReadOver() throws {
        var series = steady(140)
        for day in stride(from: 3, to: 120, by: 5) { series[day] = nil }
        for day in 60..<64 { series[day] = DayCount(total: 0, crashed: 0) }
        #expect(CrashRateDropDetector().findings(in: series).isEmpty)
        series[131] = DayCount(total: 10_000, crashed: 900)
        #expect(try #require(CrashRateDropDetector().findings(in: series).first).day == 131)
    }

    /// Empty days before a launch, or a day of a test, teach nothing: three weeks of use come before the first finding.
    @Test(
        arguments: [
            Array(repeating: DayCount(total: 0, crashed: 0), count: 40),
            [DayCount(total: 5, crashed: 0)] + Array(repeating: nil, count: 39),
        ] as [[DayCount?]])
    func aLaunchIsJudgedAfterThreeWeeksOfUse(before: [DayCount?]) {
        let launch = [(800, 4), (2_500, 34), (4_000, 60), (5_000, 70), (5_200, 71)]
        var series = before + launch.map { DayCount(total: $0.0, crashed: $0.1) } + steady(50)
        #expect(CrashRateDropDetector().findings(in: series).isEmpty)
        for (day, isFound) in [(before.count + 19, false), (before.count + 40, true)] {
            series[day] = DayCount(total: 10_000, crashed: 900)
            let found = CrashRateDropDetector().findings(in: series)
            #expect(found.contains { $0.day == day } == isFound, "\(day)")
            // What is said to be behind it are days with sessions.
            #expect(found.allSatisfy { $0.baselineDays <= $0.day - before.count + 1 })
        }
    }

    /// Four weeks with a few testers are no past of a launch: three weeks of use like it come before the first finding.
    @Test(arguments: [(6, false), (240, false), (260, true)])
    func aTestPhaseIsNoPastOfALaunch(testers: Int, isFound: Bool) {
        let test = (0..<30).map { DayCount(total: testers, crashed: $0 == 9 ? 1 : 0) }
        var series: [DayCount?] = test + (0..<40).map { DayCount(total: 5_000, crashed: 65 + $0 * 5 % 7) }
        let found = CrashRateDropDetector().findings(in: series).map(\.day)
        #expect(isFound ? found.contains(30) : found.isEmpty, "\(found)")
        series[50] = DayCount(total: 5_000, crashed: 450)
        series[69] = DayCount(total: 5_000, crashed: 450)
        let days = CrashRateDropDetector().findings(in: series).map(\.day)
        #expect(days.contains(50) == isFound && days.contains(69), "\(days)")
    }

    /// Days of use are those with at least a twentieth of the sessions of the day, of all before it and itself.
    @Test(
        arguments: [
            (Array(repeating: 100, count: 22), Array(1...22), 21),
            (Array(repeating: 100, count: 30), Array(1...22) + Array(repeating: 22, count: 8), 21),
            (Array(repeating: 99, count: 22) + [2_000], Array(1...22) + [1], 21),
            (Array(repeating: 100, count: 22) + [2_000], Array(1...22) + [22], 21),
            ([nil, 0, 100, nil, 3_000, 0], [0, 0, 1, 1, 1, 1], nil),
        ] as [([Int?], [Int], Int?)])
    func daysOfUseAreLikeTheDay(totals: [Int?], days: [Int], first: Int?) {
        #expect(CrashRateDropDetector.daysOfUse(totals) == days)
        let hasPast = CrashRateDropDetector.hasPast(totals)
        #expect(hasPast.firstIndex(of: true) == first)
        #expect(hasPast.last == ((days.last ?? 0) > 21))
    }

    /// What grows slowly, has low weekends, or had a month of holidays is judged on each day.
    @Test(arguments: ["growth", "weekends", "holidays"]) func changingUseStaysJudged(course: String) {
        var series = (0..<150).map { day -> DayCount? in
            let total: Double =
                switch course {
                case "growth": 100 * exp2(Double(day) / 18)
                case "weekends": day % 7 > 4 ? 900 : 30_000
                default: (110..<140).contains(day) ? 700 : 30_000
                }
            return DayCount(total: Int(total), crashed: Int(total / 100) + day % 3)
        }
        let hasPast = CrashRateDropDetector.hasPast(series.map { $0?.total })
        #expect(hasPast.lastIndex(of: false) == (course == "weekends" ? 28 : 20))
        guard let last = series[142] else { return }
        series[142] = DayCount(total: last.total, crashed: 3 * last.crashed)
        #expect(CrashRateDropDetector().findings(in: series).map(\.day).contains(142))
    }

    /// After a gap that is longer than the past that counts, the first days say nothing of the next one.
    @Test func theFirstDaysAfterAGapAreNotTheUsual() {
        let gap: [DayCount?] = Array(repeating: nil, count: 60)
        let after = [50] + Array(repeating: 120, count: 40)
        var series = steady(120) + gap + after.map { DayCount(total: 10_000, crashed: $0) }
        #expect(CrashRateDropDetector().findings(in: series).isEmpty)
        series[200] = DayCount(total: 10_000, crashed: 900)
        #expect(CrashRateDropDetector().findings(in: series).first?.day == 200)
    }

    /// An app that is used on one day of the week has a past as well.
    @Test func aDropOfAnAppThatIsUsedOnceAWeekIsFound() {
        var series: [DayCount?] = (0..<211).map { day in
            DayCount(total: day % 7 == 0 ? 10_000 : 0, crashed: day % 7 == 0 ? 95 + day % 11 : 0)
        }
        series[210] = DayCount(total: 10_000, crashed: 900)
        #expect(CrashRateDropDetector().findings(in: series).map(\.day) == [210])
    }

    @Test(arguments: [0.97, 1.03]) func aChangingBaseIsQuiet(growth: Double) {
        var sessions = 100_000.0
        let series = (0..<150).map { day -> DayCount? in
            sessions *= growth
            let total = max(1, Int(sessions))
            return DayCount(total: total, crashed: total / 100 + (total > 1_000 && day % 3 == 0 ? 2 : 0))
        }
        #expect(CrashRateDropDetector().findings(in: series).isEmpty)
    }

    /// Days with many times the usual sessions and no crashes, as of bots, do not say what is usual: nothing is found a week
    /// after them, and a rate that doubles three weeks later is.
    @Test(arguments: [(days: 1, times: 20), (days: 2, times: 10), (days: 1, times: 5), (days: 7, times: 6)])
    func daysOfBotsAreNotTheUsual(days: Int, times: Int) {
        let found = (1...10 as ClosedRange<UInt64>).map { seed in
            var series = noisy(230, sessions: 30_000, seed: seed)
            for day in 200..<(200 + days) {
                series[day] = series[day].flatMap {
                    DayCount(total: times * $0.total, crashed: $0.crashed)
                }
            }
            for day in 222..<224 {
                series[day] = series[day].flatMap { DayCount(total: $0.total, crashed: 2 * $0.crashed) }
            }
            return CrashRateDropDetector().findings(in: series).map(\.day)
        }
        #expect(found.filter { $0.contains { (200..<222).contains($0) } }.count <= 1)
        #expect(found.filter { $0.contains { (222...223).contains($0) } }.count >= 9)
    }

    /// The first nine weeks that are judged have about as many false reports as later ones: with a record of their own nights
    /// alone, and a variance of which nothing was known before, they had four times as many. Of 300 apps in nine weeks
    /// each, 0.9 a year are 47.
    @Test(arguments: [0, 200]) func theFirstWeeksAreAsQuietAsLaterOnes(daysBefore: Int) {
        let before: [DayCount?] = Array(repeating: DayCount.nothing, count: daysBefore)
        let reports = (1...300 as ClosedRange<UInt64>).map { seed in
            alerts(CrashRateDropDetector().findings(in: before + young(seed: seed)))
        }
        #expect(reports.reduce(0, +) <= 70, "\(reports.reduce(0, +))")
    }

    /// What doubles the crashes in these weeks is found within three days.
    @Test(arguments: [22, 28, 40, 60]) func aDoublingInTheFirstWeeksIsFound(first: Int) {
        let found = (1...100 as ClosedRange<UInt64>).filter { seed in
            var series = young(seed: seed)
            for day in first..<(first + 3) {
                series[day] = series[day].flatMap { DayCount(total: $0.total, crashed: 2 * $0.crashed) }
            }
            return CrashRateDropDetector().findings(in: series).contains {
                (first..<(first + 3)).contains($0.day)
            }
        }
        #expect(found.count >= 90, "\(found.count)")
    }

    /// Twelve weeks of an app of some size whose days vary by chance and up to 20% more, a bad one often after a bad one.
    private func young(seed: UInt64) -> [DayCount?] {
        var noise = Noise(seed: seed &* 104_729)
        let sessions = [1_000.0, 10_000, 100_000, 1_000_000][Int(seed % 4)]
        let spread = [0.05, 0.1, 0.2][Int(seed / 4 % 3)]
        var level = 0.0
        return (0..<84).map { day in
            level = 0.4 * level + 0.92 * noise.normal()
            let total = noise.count(day % 7 < 5 ? sessions : sessions * 0.7)
            let crashed = noise.count(Double(total) * 0.02 * exponential(spread * level))
            return DayCount(total: total, crashed: min(total, crashed))
        }
    }

    @Test func extremeSeriesAreAnswered() {
        #expect(isQuiet([]))
        #expect(isQuiet([DayCount(total: 5, crashed: 5)]))
        #expect(isQuiet(Array(repeating: nil, count: 90)))
        let all = DayCount(total: 1_000_000_000_000, crashed: 1_000_000_000_000)
        #expect(isQuiet(Array(repeating: all, count: 90)))
        let none = DayCount(total: 100, crashed: 0)
        #expect(isQuiet(Array(repeating: none, count: 90)))
        #expect(DayCount(total: 1, crashed: 2) == nil && DayCount(total: 1, crashed: -1) == nil)
    }

    /// One session of so many was counted, and multiplied: what the factor alone brings is no drop. Where the counts do not
    /// show it themselves, as they were rounded, it is stated.
    @Test(arguments: [10, 100, 400], [true, false])
    func countsOfASampleAreJudgedByTheSample(factor: Int, isShown: Bool) throws {
        var (plain, judged) = (0, 0)
        for seed in 1...10 as ClosedRange<UInt64> {
            var noise = Noise(seed: seed)
            let series = (0..<365).map { _ -> DayCount? in
                let total = noise.count(100_000 / Double(factor))
                let crashed = min(total, noise.count(500 / Double(factor)))
                let rest = isShown ? 0 : 1
                return DayCount(total: total * factor + rest, crashed: crashed * factor)
            }
            let stated = isShown ? [] : series.map { _ in Double(factor) }
            judged += alerts(CrashRateDropDetector().findings(in: series, sampling: stated))
            // What is a multiple of nothing is taken as it is.
            plain += isShown ? 0 : alerts(CrashRateDropDetector().findings(in: series))
        }
        #expect(judged <= 15, "\(judged) in ten years, \(plain) without the factor")
        // That days vary ten times as much as by chance, the first ones show already.
        #expect(isShown || factor == 10 || plain > judged)
    }

    /// A sample shows by few crashes, too, that it was multiplied: what is found is what is found in it.
    @Test(arguments: [0.1, 0.3, 1, 3]) func aSampleWithFewCrashesIsJudgedByTheSample(crashes: Double) {
        for seed in 1...10 as ClosedRange<UInt64> {
            let sample = small(seed: seed, sessions: crashes * 200, crashes: crashes)
            let series = sample.map {
                $0.flatMap { DayCount(total: $0.total * 100, crashed: $0.crashed * 100) }
            }
            let (found, plain) = (
                CrashRateDropDetector().findings(in: series), CrashRateDropDetector().findings(in: sample)
            )
            #expect(found.map(\.day) == plain.map(\.day) && found.map(\.score) == plain.map(\.score))
            #expect(found.allSatisfy { $0.sampling == 100 })
        }
    }

    /// Counts that were not multiplied are taken as they are: also small ones, rounded totals with the crashes as counted,
    /// totals without a crash, and few numbers that repeat.
    @Test(arguments: [2.0, 10, 50, 400], [0, 0.1, 2]) func trueCountsAreNoSample(
        sessions: Double, crashes: Double
    ) {
        for seed in 1...10 as ClosedRange<UInt64> {
            let counted = small(seed: seed, sessions: sessions, crashes: min(crashes, sessions / 10))
            let rounded = counted.map {
                $0.flatMap { DayCount(total: ($0.total / 10 + 1) * 10, crashed: min($0.crashed, 9)) }
            }
            let safe = rounded.map { $0.flatMap { DayCount(total: $0.total, crashed: 0) } }
            let planned = (0..<210).map {
                DayCount(total: [9_000, 7_000, 8_000, 5_000][$0 % 4], crashed: 50)
            }
            for series in [counted, rounded, safe, planned] {
                #expect(SampledCounts(series, factors: []).days == series)
            }
        }
    }

    private func small(seed: UInt64, sessions: Double, crashes: Double) -> [DayCount?] {
        var noise = Noise(seed: seed)
        return (0..<210).map { _ in
            let total = noise.count(sessions)
            return DayCount(total: total, crashed: min(total, noise.count(crashes)))
        }
    }

    /// What is found has the counts as stated, and the interval of the sample.
    @Test func aDropInASampleHasItsCountsAndItsOwnInterval() throws {
        var noise = Noise(seed: 7)
        let sampled = (0..<120).map { day -> DayCount? in
            DayCount(total: noise.count(1000), crashed: noise.count(day < 118 ? 5 : 40))
        }
        let series = sampled.map { $0.flatMap { DayCount(total: $0.total * 100, crashed: $0.crashed * 100) } }
        let found = try #require(CrashRateDropDetector().findings(in: series).first)
        let plain = try #require(CrashRateDropDetector().findings(in: sampled).first)
        #expect(found.day == plain.day && found.score == plain.score && found.window == plain.window)
        #expect(found.total == plain.total * 100 && found.crashed == plain.crashed * 100)
        #expect(found.sampling == 100 && plain.sampling == nil && found.expected == plain.expected)
        #expect(found.rise == plain.rise)
        #expect(CrashRateDropDetector().finds(found, expecting: found.expected))
    }

    /// Counts of which no Int holds the sum of some days are judged by their sample as well.
    @Test func countsThatAreTooManyToAddAreFound() {
        let factor = 2_000_000_000_000_000
        var noise = Noise(seed: 7)
        let sampled = (0..<140).map { day -> DayCount? in
            DayCount(total: noise.count(2000), crashed: noise.count(day < 120 ? 20 : 36))
        }
        let series = sampled.map {
            $0.flatMap { DayCount(total: $0.total * factor, crashed: $0.crashed * factor) }
        }
        let (found, plain) = (
            CrashRateDropDetector().findings(in: series), CrashRateDropDetector().findings(in: sampled)
        )
        #expect(found.map(\.day) == plain.map(\.day) && found.map(\.window) == plain.map(\.window))
        #expect(found.contains { $0.window > 1 })
        #expect(found.allSatisfy { $0.window == 1 || $0.total == .max })
    }

    private func alerts(_ findings: [DropFinding]) -> Int {
        episodes(of: findings, quietDays: 3, day: \.day).count
    }

    private func isQuiet(_ series: [DayCount?]) -> Bool {
        CrashRateDropDetector().findings(in: series).isEmpty
    }

    /// One of two hundred sessions crashes, with a weekly cycle of use; days vary by chance and by 5%.
    private func noisy(_ days: Int, sessions: Int, seed: UInt64) -> [DayCount?] {
        var noise = Noise(seed: seed)
        return (0..<days).map { day in
            let total = noise.count(Double(day % 7 < 5 ? sessions : sessions * 4 / 5))
            return DayCount(
                total: total, crashed: noise.count(Double(total) / 200 * exp(0.05 * noise.normal())))
        }
    }

    /// A large app whose days vary by 8%: four releases crash more often for about two weeks each, and after that all of it
    /// crashes twice as often for two days.
    private func lastingDrops(seed: UInt64) -> [DayCount?] {
        var state = seed
        func unit() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / 9_007_199_254_740_992
        }
        let drops = [(60..<72, 1.4), (120..<133, 2.5), (180..<193, 1.4), (240..<253, 2.5)]
        return (0..<280).map { day in
            // Twelve even numbers have nearly a normal sum.
            let noise = exp(0.08 * ((0..<12).reduce(0) { sum, _ in sum + unit() } - 6))
            let drop = drops.first { $0.0.contains(day) }
            // Its users come and go within four days.
            let share =
                drop.map { min(1, Double(min(day - $0.0.lowerBound + 1, $0.0.upperBound - day)) / 4) } ?? 0
            let factor = (262..<264).contains(day) ? 2 : 1 + ((drop?.1 ?? 1) - 1) * share
            return DayCount(total: 200_000, crashed: Int(800 * noise * factor))
        }
    }

    /// One of a hundred sessions crashes, with a weekly cycle of use and a little noise.
    private func steady(_ days: Int, sessions: Int = 10_000) -> [DayCount?] {
        (0..<days).map { day in
            let total = day % 7 < 5 ? sessions : sessions * 7 / 10
            return DayCount(total: total, crashed: total / 100 + (day * 5) % 3)
        }
    }
}
