private import Platform

/// What an issue's own past lets one expect of it: a share of sessions, and how widely its counts vary.
package struct IssueForecast: Hashable, Sendable {
    /// The expected share of sessions; a count that is not of sessions may exceed one.
    package let rate: Double
    /// κ of one step's count: its variance is m + κ m².
    package let dispersion: Double
    /// The counts behind the rate; more than zero.
    package let seen: Double
    /// The sessions behind the rate.
    package let sessions: Double

    /// An outlook whose parts are known.
    init(rate: Double, dispersion: Double, seen: Double, sessions: Double) {
        self.rate = rate
        self.dispersion = dispersion
        self.seen = seen
        self.sessions = sessions
    }

    /// The outlook from steps that had sessions; nil when there were none.
    package init?(counts: [Double], sessions: [Double]) {
        let total = sessions.reduce(0, +)
        guard total > 0, counts.count == sessions.count else { return nil }
        let seen = counts.reduce(0, +) + 0.5
        let rate = seen / total
        var (excess, weight) = (0.0, 0.0)
        for (count, whole) in zip(counts, sessions) {
            let mean = rate * whole
            excess += (count - mean) * (count - mean) - mean
            weight += mean * mean
        }
        self.init(
            rate: rate, dispersion: Self.dispersion(excess: excess, weight: weight), seen: seen,
            sessions: total)
    }

    /// κ from past misses, drawn toward 0.05 as long as they are few.
    static func dispersion(excess: Double, weight: Double) -> Double {
        max(1e-6, (50 * 0.05 + excess) / (50 + weight))
    }

    /// How many are to be expected among so many sessions.
    package func expected(sessions: Double) -> Double { rate * sessions }

    /// The counts to expect of so many steps with so many sessions in all.
    ///
    /// - Parameter deviation: The relative standard error of these sessions and of those behind the rate, 0 where they are
    ///   exact: what is expected misses by both.
    package func counts(sessions: Double, steps: Int, deviation: Double = 0) -> CountDistribution? {
        CountDistribution(
            mean: sessions * rate,
            dispersion: dispersion / Double(steps).squareRoot() + 1 / max(seen, 0.5)
                + 2 * deviation * deviation)
    }

    /// The chance of this count or more (mid-p, tail of Student's t with 30 degrees) among so many sessions of so
    /// many steps.
    package func chance(ofAtLeast count: Int, sessions: Double, steps: Int) -> Double? {
        guard let counts = counts(sessions: sessions, steps: steps),
            let deviate = normalQuantile(upperLog: counts.logMidP(above: count))
        else { return nil }
        return studentTails(min(deviate, 37), freedom: 30).upper
    }

    /// The chance of not a single one among so many sessions of so many steps.
    package func chanceOfNone(sessions: Double, steps: Int) -> Double? {
        counts(sessions: sessions, steps: steps).map { exp($0.logProbability(of: 0)) }
    }
}
