private import Glibc

/// The dispersion of an app's counts about their forecasts, learnt from its own past misses.
///
/// A discounted moment estimate of κ in Var = μ + κ μ², shrunk to a small prior; single wild days are cut off.
struct OwnDispersion {
    private var excess = 0.0
    private var weight = 0.0

    /// The dispersion for a forecast; never zero.
    func value(forecast: Double) -> Double {
        let prior = 14 * max(forecast, 1) * max(forecast, 1)
        return max(1e-6, (0.01 * prior + 1.08 * excess) / (prior + weight))
    }

    /// Takes in what came of a forecast; a miss that was reported is cut off lower: it is told as what it is, and
    /// is no measure of how the app varies.
    mutating func learn(count: Double, forecast: Double, isExplained: Bool) {
        let decay = exp2(-1 / 42.0)
        let variance = forecast + value(forecast: forecast) * forecast * forecast
        let miss = (count - forecast) * (count - forecast)
        excess = decay * excess + min(miss, (isExplained ? 1 : 9) * variance) - forecast
        weight = decay * weight + forecast * forecast
    }
}
