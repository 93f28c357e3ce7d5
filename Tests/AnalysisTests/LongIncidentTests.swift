import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// An incident of many weeks, as it is reported night by night: one alert while it lasts, and one return when it ends,
/// though what is expected learns from it meanwhile.
struct LongIncidentTests {
    /// A made-up app whose rate is as its story says, with noise that lasts some days and a weekly cycle.
    private struct Story {
        let use: Double
        /// How many days each part of the story lasts, and the crashed share of it, oldest first.
        let parts: [(days: Int, share: Double)]
        let seed: UInt64

        var days: Int { parts.reduce(0) { $0 + $1.days } }

        /// How many days before the last one a part begins.
        func begin(of part: Int) -> Int { days - 1 - parts[..<part].reduce(0) { $0 + $1.days } }

        /// Use and crashes of each day, oldest first.
        var counts: [(all: Int, crashed: Int)] {
            var numbers = TestNumbers(state: seed)
            var drift = 0.0
            return parts.flatMap { part in (0..<part.days).map { _ in part.share } }.enumerated().map {
                day, share in
                let all = (use * [1, 1, 1.02, 1, 1.05, 0.8, 0.7][day % 7] * (1 + 0.03 * numbers.normal()))
                    .rounded()
                drift = 0.6 * drift + 0.07 * numbers.normal()
                let mean = all * share * [1, 1, 1, 1, 1, 1.1, 1.15][day % 7] * max(0.5, 1 + drift)
                let crashed = (mean + mean.squareRoot() * numbers.normal()).rounded()
                return (Int(all), Int(min(all, max(0, crashed))))
            }
        }

        var rated: SourceHistory {
            .make(
                health: counts.enumerated().map { day, count in
                    .make(days - 1 - day, users: count.all, crashedUsers: count.crashed)
                })
        }

        var counted: SourceHistory {
            let counts = counts.enumerated().map { (days - 1 - $0, $1.crashed) }
            return .make(
                knows: [.issues, .issueDays], health: counts.map { HealthDay(date: .back($0), crashes: $1) },
                coverage: counts.map { .init(.crashes, CivilDate.back($0.0)...CivilDate.back($0.0)) })
        }
    }

    /// What is reported in one night.
    private struct Night {
        /// The alerts by their days before the last one, and whether each is open.
        let alerts: [(back: Int, id: String, isOpen: Bool)]
        let recoveries: [Recovery]

        init(_ source: SourceHistory, isCounted: Bool = false, back: Int = 0) {
            let asOf = reportTime.advanced(bySeconds: -86_400 * back)
            let rule: any Rule = isCounted ? CrashCountRule() : StabilityRule()
            alerts = found(by: rule, in: source, asOf: asOf).map { event in
                let isOpen =
                    switch event {
                    case .stability(let alert):
                        if case .open = alert.episode.state { true } else { false }
                    case .crashes(let alert): alert.episode.state.isOpen
                    default: false
                    }
                return (event.back, event.occasion.id, isOpen)
            }
            recoveries = found(by: RecoveryRule(), in: source, asOf: asOf).compactMap {
                if case .recovery(let recovery) = $0 { recovery } else { nil }
            }
        }
    }

    private func expected(_ recovery: Recovery) -> Double {
        switch recovery.level {
        case .rate(_, _, let expected): expected
        case .crashes(_, let expected): expected
        }
    }

    @Test(arguments: [2000.0, 40_000, 1_000_000], UInt64(1)...6)
    func oneLongDropIsOneAlertAndOneReturn(use: Double, seed: UInt64) throws {
        let length = 40 + Int(seed) * 8
        let story = Story(use: use, parts: [(120, 0.008), (length, 0.027), (30, 0.008)], seed: seed)
        let (begin, end) = (story.begin(of: 1), story.begin(of: 2))
        let source = story.rated
        let all = Night(source)
        let during = all.alerts.filter { (end + 1...begin).contains($0.back) }
        #expect(during.count == 1 && begin - (during.first?.back ?? 0) <= 2, "\(all.alerts)")
        let back = all.recoveries.filter { $0.occasion.day > .back(begin) }
        let recovery = try #require(back.first)
        #expect(back.count == 1)
        #expect((end - 4...end).contains(recovery.occasion.day.days(to: lastDay)))
        #expect((0.006...0.010).contains(expected(recovery)), "\(expected(recovery))")
        #expect((length...length + 4).contains(recovery.days + begin - (during.first?.back ?? 0)))
        for night in stride(from: begin - 3, through: end + 1, by: -6) {
            let report = Night(source, back: night)
            #expect(report.alerts.map(\.id) == Array(all.alerts.map(\.id).prefix(report.alerts.count)))
            #expect(report.alerts.last?.isOpen == true && report.alerts.last?.back == during.first?.back)
            #expect(!report.recoveries.contains { $0.occasion.day > .back(begin) }, "\(night)")
        }
    }

    /// What is worse than an alert that is open is another one; what it was before both is what it comes back to.
    @Test(arguments: [2000.0, 40_000, 1_000_000], UInt64(1)...4)
    func aDropBelowAnOpenOneIsAnotherAlert(use: Double, seed: UInt64) throws {
        let story = Story(
            use: use, parts: [(100, 0.008), (32, 0.025), (20, 0.075), (20, 0.008)], seed: seed)
        let all = Night(story.rated)
        let alerts = all.alerts.filter { $0.back <= story.begin(of: 1) }
        #expect(alerts.count == 2, "\(alerts)")
        #expect((story.begin(of: 2) - 2...story.begin(of: 2)).contains(try #require(alerts.last).back))
        let recovery = try #require(all.recoveries.last)
        #expect(all.recoveries.filter { $0.occasion.day > .back(story.begin(of: 1)) }.count == 1)
        #expect((0.006...0.010).contains(expected(recovery)))
        #expect(recovery.since == .back(alerts[0].back) && recovery.alertDay == .back(alerts[1].back))
        #expect((52...56).contains(recovery.days))
    }

    /// A drop after days on which most of the loss was back is another one, though the first never ended.
    @Test(arguments: UInt64(1)...4) func aDropAfterAPartialReturnIsAnotherAlert(seed: UInt64) throws {
        let story = Story(use: 40_000, parts: [(100, 0.008), (2, 0.08), (40, 0.02), (10, 0.06)], seed: seed)
        let alerts = Night(story.rated).alerts.filter { $0.back <= story.begin(of: 1) }
        #expect(alerts.map(\.back) == [story.begin(of: 1), story.begin(of: 3)])
    }

    @Test(arguments: [20.0, 400, 30_000], UInt64(1)...4)
    func oneLongRiseOfCrashesIsOneAlertAndOneReturn(crashes: Double, seed: UInt64) throws {
        let story = Story(
            use: crashes * 100, parts: [(100, 0.01), (30 + Int(seed) * 8, 0.035), (30, 0.01)], seed: seed)
        let (begin, end) = (story.begin(of: 1), story.begin(of: 2))
        let source = story.counted
        let all = Night(source, isCounted: true)
        let during = all.alerts.filter { $0.back <= begin }
        #expect(during.count == 1 && begin - (during.first?.back ?? 0) <= 3, "\(all.alerts)")
        let back = all.recoveries.filter { $0.occasion.day > .back(begin) }
        #expect(back.count == 1 && (end - 5...end).contains(back[0].occasion.day.days(to: lastDay)))
        #expect((crashes * 0.6...crashes * 1.4).contains(expected(try #require(back.first))))
        for night in stride(from: begin - 4, through: end + 1, by: -8) {
            let report = Night(source, isCounted: true, back: night)
            #expect(report.alerts.last?.id == during.first?.id && report.alerts.last?.isOpen == true)
            #expect(!report.recoveries.contains { $0.occasion.day > .back(begin) })
        }
    }
}

extension TestNumbers {
    /// About a normal deviate: a sum of twelve.
    fileprivate mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double(next() >> 11) / 0x1p53 }
    }
}
