private import Platform

/// Bounds of a rate whose counts are checked repeatedly: they hold at all checks together.
///
/// A 95% interval that is computed every day misses the rate on some day far more often than 5 times in 100.
/// This one does not: it holds the rates p at which the likelihood, mixed over a Beta(½, ½) prior, is less than
/// 1 ÷ (1 − confidence) times the likelihood of p (H. Robbins, Annals of Mathematical Statistics 41 (1970)
/// 1397–1409; J. Ville 1939). Counts whose days vary more than by chance are divided by their dispersion.
package struct AlwaysValidInterval: Hashable, Sendable {
    private let events: Double
    private let trials: Double
    private let limit: Double

    /// The counts; nil when they are impossible, nothing was counted, the dispersion is below one, or the
    /// confidence is not between 0 and 1.
    package init?(
        events: Int, of trials: Int, dispersion: Double = 1, confidence: Double = standardConfidence
    ) {
        guard trials > 0, events >= 0, events <= trials, dispersion >= 1, dispersion.isFinite,
            confidence > 0, confidence < 1
        else { return nil }
        self.init(
            Double(events) / dispersion, of: Double(trials) / dispersion, limit: -log(1 - confidence))
    }

    private init(_ events: Double, of trials: Double, limit: Double) {
        self.events = events
        self.trials = trials
        self.limit = limit
    }

    /// The rate, in 0…1.
    package var rate: Double { events / trials }

    /// Whether the rate is surely below this one.
    package func isBelow(_ rate: Double) -> Bool { self.rate < rate && excludes(rate) }

    /// Whether the rate is surely above this one.
    package func isAbove(_ rate: Double) -> Bool { self.rate > rate && excludes(rate) }

    /// The bounds, in 0…1.
    package var bounds: Interval {
        Interval(
            lower: events == 0 ? 0 : edge(inside: rate, outside: 0),
            upper: events == trials ? 1 : edge(inside: rate, outside: 1))
    }

    /// About how many more are needed before the bounds lie on one side of a rate, if the rate stays as it is;
    /// nil when no number below 10^15 is enough.
    package func needed(toClear other: Double, dispersion: Double) -> Int? {
        func isClear(_ factor: Double) -> Bool {
            AlwaysValidInterval(events * factor, of: trials * factor, limit: limit).excludes(other)
        }
        var high = 1.0
        while !isClear(high) {
            high *= 2
            guard high * trials * dispersion < 1e15 else { return nil }
        }
        var low = max(1, high / 2)
        for _ in 0..<50 where high - low > 1e-6 * high {
            let middle = (low + high) / 2
            if isClear(middle) { high = middle } else { low = middle }
        }
        return max(1, Int(((high - 1) * trials * dispersion).rounded(.up)))
    }

    private func excludes(_ rate: Double) -> Bool { logEvidence(against: rate) >= limit }

    /// The logarithm of how many times likelier the counts are under the mixture than under a rate.
    private func logEvidence(against rate: Double) -> Double {
        let rest = trials - events
        if rate <= 0 { return events > 0 ? .infinity : -1 }
        if rate >= 1 { return rest > 0 ? .infinity : -1 }
        return logBeta(events + 0.5, rest + 0.5) - logBeta(0.5, 0.5) - events * log(rate) - rest
            * log1p(-rate)
    }

    private func edge(inside: Double, outside: Double) -> Double {
        var (inside, outside) = (inside, outside)
        for _ in 0..<80 {
            let middle = (inside + outside) / 2
            if excludes(middle) { outside = middle } else { inside = middle }
        }
        return outside
    }
}
