private import Platform

/// The evidence, gathered day by day, that a new release crashes more than the old one: an e-value, which may
/// be checked after every day without the checks adding up to false claims.
///
/// A day-stratified score of the hypothesis rate₁ ≤ (1 + δ) rate₀, mixed over a half-normal effect (the
/// one-sided form of H. Robbins, Annals of Mathematical Statistics 41 (1970) 1397–1409; e-values: G. Shafer,
/// Journal of the Royal Statistical Society A 184 (2021) 407–431), with its variance widened by the
/// dispersion of the days. The scores are taken as normal and the dispersion as known, so the guarantee is
/// approximate. `ReleaseContrast` is the form for releases that are still being adopted.
package struct ReleaseRecord: Hashable, Sendable {
    /// δ: how much worse, relative to the old release, is not worth a claim.
    package let tolerance: Double
    /// The scale of the effect mixed over, relative to the rate of both.
    package let spread: Double
    /// The prior weight, in days, of a dispersion of one.
    package let priorDays: Double

    /// The sum of the daily scores, in crashed sessions.
    package private(set) var score = 0.0
    /// The sum of their variances without dispersion.
    package private(set) var variance = 0.0
    private var information = 0.0
    private var squares = 0.0
    private var days = 0.0
    private var crashed = 0.0
    private var sessions = 0.0

    /// No evidence yet.
    package init(tolerance: Double = 0.1, spread: Double = 0.5, priorDays: Double = 5) {
        self.tolerance = tolerance
        self.spread = spread
        self.priorDays = priorDays
    }

    /// Takes in a day; one on which a release had no session says nothing of the difference.
    package mutating func add(_ day: ReleaseDayCounts) {
        let (n1, x1) = (Double(day.newSessions), Double(day.newCrashed))
        let (n0, x0) = (Double(day.oldSessions), Double(day.oldCrashed))
        sessions += n1 + n0
        crashed += x1 + x0
        guard n1 > 0, n0 > 0 else { return }
        let ratio = 1 + tolerance
        let weight = n1 * n0 / (n1 + n0)
        let oldRate = (x0 + x1) / (n0 + ratio * n1)
        let newRate = ratio * oldRate
        let dayScore = weight * (x1 / n1 - ratio * x0 / n0)
        let noise = max(0, newRate * (1 - newRate)) / n1 + ratio * ratio * oldRate * (1 - oldRate) / n0
        let dayVariance = weight * weight * noise
        score += dayScore
        variance += dayVariance
        information += weight
        guard dayVariance > 0 else { return }
        days += 1
        squares += dayScore * dayScore / dayVariance
    }

    /// How many times wider the days vary than chance alone has it; never below one.
    package var dispersion: Double {
        guard variance > 0 else { return 1 }
        let excess = max(0, squares - score * score / variance)
        return max(1, (priorDays + excess) / (priorDays + days - 1))
    }

    /// The natural logarithm of the e-value; zero without evidence.
    package var logEValue: Double {
        guard sessions > 0 else { return 0 }
        let scale = spread * crashed / sessions * information
        return mixedLogEValue(score: score, variance: dispersion * variance, effect: scale * scale)
    }
}

/// The natural logarithm of how many times likelier a normal score is when its mean is spread half-normally
/// above zero, with this mean square, than when it is zero. Zero unless the variance is above zero.
func mixedLogEValue(score: Double, variance: Double, effect: Double) -> Double {
    guard variance > 0 else { return 0 }
    let sum = variance + effect
    let deviate = score * effect.squareRoot() / (variance.squareRoot() * sum.squareRoot())
    return log(2) + 0.5 * log(variance / sum) + effect * score * score / (2 * variance * sum)
        + normalTails(deviate).logLower
}

/// Sessions and crashed sessions of a new release and of the old one on the same day.
package struct ReleaseDayCounts: Hashable, Sendable {
    /// Sessions of the new release.
    package let newSessions: Int
    /// Crashed sessions of the new release.
    package let newCrashed: Int
    /// Sessions of the old release.
    package let oldSessions: Int
    /// Crashed sessions of the old release.
    package let oldCrashed: Int
    /// The relative standard error of the sessions of the new release; 0 where they are exact.
    package let newDeviation: Double
    /// The relative standard error of the sessions of the old release; 0 where they are exact.
    package let oldDeviation: Double

    /// The counts; nil when one is negative or more sessions crashed than there were.
    package init?(
        newSessions: Int, newCrashed: Int, oldSessions: Int, oldCrashed: Int,
        newDeviation: Double = 0, oldDeviation: Double = 0
    ) {
        guard newCrashed >= 0, oldCrashed >= 0, newCrashed <= newSessions, oldCrashed <= oldSessions else {
            return nil
        }
        self.newSessions = newSessions
        self.newCrashed = newCrashed
        self.oldSessions = oldSessions
        self.oldCrashed = oldCrashed
        self.newDeviation = newDeviation
        self.oldDeviation = oldDeviation
    }
}
