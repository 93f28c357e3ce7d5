import Statistics
import Testing

struct AlwaysValidIntervalTests {
    @Test(arguments: [
        (0, 1), (0, 1000), (1, 1), (5, 100), (50, 100), (999, 1000), (1000, 1000), (3000, 1_000_000),
        (0, 1_000_000_000_000),
    ])
    func boundsHoldTheRateAndAreWiderThanThoseOfOneLook(events: Int, trials: Int) throws {
        let interval = try #require(AlwaysValidInterval(events: events, of: trials))
        let once = try #require(wilsonInterval(successes: events, of: trials))
        let bounds = interval.bounds
        #expect(bounds.contains(interval.rate) && bounds.lower >= 0 && bounds.upper <= 1)
        #expect(bounds.width > once.width)
        #expect((bounds.lower == 0) == (events == 0) && (bounds.upper == 1) == (events == trials))
        // What the bounds exclude is what the comparisons say.
        let above = bounds.upper + (1 - bounds.upper) * 1e-6
        if above < 1 { #expect(interval.isBelow(above) && !interval.isAbove(above)) }
        if bounds.lower > 0 { #expect(interval.isAbove(bounds.lower * (1 - 1e-6))) }
        #expect(!interval.isBelow(interval.rate) && !interval.isAbove(interval.rate))
    }

    @Test func dispersionCountsForLess() throws {
        let plain = try #require(AlwaysValidInterval(events: 40, of: 10_000))
        let wide = try #require(AlwaysValidInterval(events: 40, of: 10_000, dispersion: 4))
        let fewer = try #require(AlwaysValidInterval(events: 10, of: 2500))
        #expect(wide.bounds.width > 1.5 * plain.bounds.width)
        #expect(abs(wide.bounds.upper - fewer.bounds.upper) < 1e-12)
    }

    @Test(arguments: [(-1, 5, 1.0), (6, 5, 1), (0, 0, 1), (1, 5, 0.5), (1, 5, .nan), (1, 5, .infinity)])
    func impossibleCountsHaveNone(events: Int, trials: Int, dispersion: Double) {
        #expect(AlwaysValidInterval(events: events, of: trials, dispersion: dispersion) == nil)
    }

    @Test(arguments: [(2, 1000, 0.01), (0, 1, 0.005), (30, 1000, 0.02), (1, 100, 0.05)])
    func asManyAsAreNeededAreEnough(events: Int, trials: Int, level: Double) throws {
        let interval = try #require(AlwaysValidInterval(events: events, of: trials))
        let needed = try #require(interval.needed(toClear: level, dispersion: 1))
        // Whole counts: rounded away from the level.
        let events = { (all: Int) in
            let even = Double(events) * Double(all) / Double(trials)
            return Int(Double(events) / Double(trials) < level ? even.rounded(.down) : even.rounded(.up))
        }
        let all = trials + needed
        let enough = try #require(AlwaysValidInterval(events: events(all), of: all))
        #expect(enough.isBelow(level) || enough.isAbove(level))
        if events(trials) == 0 {
            let fewer = try #require(AlwaysValidInterval(events: 0, of: all - 2))
            #expect(!fewer.isBelow(level))
        }
    }

    @Test func rateAtTheLevelIsNeverSettled() throws {
        #expect(
            try #require(AlwaysValidInterval(events: 10, of: 1000)).needed(toClear: 0.01, dispersion: 1)
                == nil)
    }

    /// Checked after each of 60 days, the true rate falls out on any of them in at most 5 of 100 series;
    /// the 95% interval of one look loses it in far more.
    @Test func trueRateIsSeldomEverLost() throws {
        var random = TestRandom(seed: 4)
        var (lost, lostOnce) = (0, 0)
        for _ in 0..<300 {
            var (events, trials) = (0, 0)
            var (isLost, isLostOnce) = (false, false)
            for _ in 0..<60 {
                trials += 100
                events += (0..<100).count { _ in Double.random(in: 0..<1, using: &random) < 0.03 }
                let interval = try #require(AlwaysValidInterval(events: events, of: trials))
                isLost = isLost || interval.isBelow(0.03) || interval.isAbove(0.03)
                isLostOnce =
                    isLostOnce || wilsonInterval(successes: events, of: trials)?.contains(0.03) == false
            }
            lost += isLost ? 1 : 0
            lostOnce += isLostOnce ? 1 : 0
        }
        #expect(lost <= 15, "\(lost) of 300")
        #expect(lostOnce > 45, "\(lostOnce) of 300")
    }
}
