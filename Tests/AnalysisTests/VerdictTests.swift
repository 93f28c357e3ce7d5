import Analysis
import AppHealth
import Testing

struct VerdictTests {
    /// Crashed, all, and the verdict against a target of 99.5% and a critical level of 98%.
    @Test(
        arguments: [
            (10, 10_000, .meets), (0, 10_000, .meets), (0, 765, .meets), (0, 764, .notEnoughData(needed: 1)),
            (0, 1, .notEnoughData(needed: 764)), (0, 100, .notEnoughData(needed: 665)),
            (4, 1000, .notEnoughData(needed: 18_111)), (10, 3324, .notEnoughData(needed: 1_495)),
            // Near the target as many as the interval takes, and at it no number.
            (24_900, 5_000_000, .notEnoughData(needed: 42_778_145)),
            (499_999, 100_000_000, .notEnoughData(needed: nil)),
            (5, 1000, .notEnoughData(needed: nil)), (5_000_000, 1_000_000_000, .notEnoughData(needed: nil)),
            (100, 10_000, .misses), (160, 10_000, .misses), (199, 10_000, .misses), (300, 10_000, .critical),
            (1, 1, .critical), (50, 50, .critical), (1, 2, .critical), (1, 40, .notEnoughData(needed: 8)),
            (.max, .max, .critical), (0, .max, .meets),
        ] as [(Int, Int, Verdict)])
    func intervalIsHeldAgainstTheLevels(crashed: Int, all: Int, expected: Verdict) {
        let verdict = Verdict(on: Fraction(crashed, of: all), against: .standard)
        if case .notEnoughData(let needed?) = expected, case .notEnoughData(let found?) = verdict {
            // The number is given as "about": a thousandth does not matter.
            #expect(abs(found - needed) <= max(1, needed / 1000), "\(found) needed")
        } else {
            #expect(verdict == expected)
        }
    }

    @Test(arguments: [(1, 0), (0, 0), (5, 4), (-1, 4)])
    func impossibleCountsAreUnknown(crashed: Int, all: Int) {
        #expect(Verdict(on: Fraction(crashed, of: all), against: .standard) == .unknown)
    }

    @Test(arguments: [0.9, 0.99, 0.995, 0.999, 0.9999])
    func asManyAsAreNeededAreEnough(target: Double) throws {
        let levels = try #require(Targets(target: target, critical: target))
        for all in [1, 7, 50, 300] {
            let few = Verdict(on: Fraction(0, of: all), against: levels)
            guard case .notEnoughData(let needed?) = few else { continue }
            #expect(Verdict(on: Fraction(0, of: all + needed), against: levels) == .meets)
            let oneLess = Verdict(on: Fraction(0, of: all + needed - 1), against: levels)
            #expect(oneLess == .notEnoughData(needed: 1))
        }
    }

    /// As many as are needed at the same rate are enough, and fewer are not, on either side of the target.
    @Test(
        arguments: [
            (10, 3324), (4, 1000), (3, 1000), (1, 250), (6, 1000), (1, 40), (2, 120), (7, 1200),
            (24_900, 5_000_000), (25_099, 5_000_000), (10_049, 2_010_000),
        ])
    func asManyAtTheSameRateAreEnough(crashed: Int, all: Int) throws {
        guard case .notEnoughData(let needed?) = Verdict(on: Fraction(crashed, of: all), against: .standard)
        else {
            Testing.Issue.record("\(crashed) of \(all) are enough, or no number is")
            return
        }
        let times = Double(all + needed) / Double(all)
        func isEnough(_ times: Double) -> Bool {
            let times = Int(times)
            let verdict = Verdict(on: Fraction(crashed * times, of: all * times), against: .standard)
            if case .notEnoughData = verdict { return false }
            return true
        }
        #expect(isEnough(times.rounded(.up)))
        #expect(!isEnough((times * 0.98).rounded(.down)))
    }

    @Test func targetOfAllIsMissedByOneCrashAndNeverProved() throws {
        let levels = try #require(Targets(target: 1, critical: 0.5))
        #expect(Verdict(on: Fraction(1, of: 1_000_000), against: levels) == .misses)
        for all in [1, 1_000_000] {
            let verdict = Verdict(on: Fraction(0, of: all), against: levels)
            #expect(verdict == .notEnoughData(needed: nil), "no number proves that none will ever crash")
        }
    }

    @Test func needOfAttentionDropsFromCriticalToMeets() {
        let verdicts: [Verdict] = [.critical, .misses, .unknown, .notEnoughData(needed: 3), .meets]
        #expect(verdicts.map(\.need) == [4, 3, 2, 1, 0])
    }
}
