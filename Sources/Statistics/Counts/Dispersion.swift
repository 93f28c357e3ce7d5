private import Platform

/// The dispersion of an app's counts about their forecasts, learned from its own past misses.
///
/// A discounted moment estimate of κ in Var = μ + κ μ², shrunk to a small prior; single outlier days are cut off, and a
/// forecast of more than twice the usual one counts like one of twice that: a few days with many times the usual use would
/// be all that is known.
struct OwnDispersion {
    private var excess = 0.0
    private var weight = 0.0
    private var forecasts = 0.0
    private var nights = 0.0
    /// The forecasts of the last nights: a use that lasts for half of them is usual.
    private var latest: [Double] = []

    private static let latestNights = 15

    /// The dispersion for a forecast; never zero.
    func value(forecast: Double) -> Double {
        let prior = 14 * max(forecast, 1) * max(forecast, 1)
        return max(1e-6, (0.01 * prior + 1.08 * excess) / (prior + weight))
    }

    /// Takes in what came of a forecast; a miss that was reported is cut off lower: it is reported as what it is, and
    /// is no measure of how the app varies.
    mutating func learn(count: Double, forecast: Double, isExplained: Bool) {
        let decay = exp2(-1 / 42.0)
        let variance = forecast + value(forecast: forecast) * forecast * forecast
        let miss = (count - forecast) * (count - forecast)
        latest = latest.suffix(Self.latestNights - 1) + [forecast]
        let most = 2 * max(nights > 0 ? forecasts / nights : 0, median(latest) ?? forecast)
        let part = forecast > most ? most / forecast : 1
        excess = decay * excess + part * part * (min(miss, (isExplained ? 1 : 9) * variance) - forecast)
        weight = decay * weight + part * part * forecast * forecast
        forecasts = decay * forecasts + part * forecast
        nights = decay * nights + 1
    }
}

/// How many times wider the crashed shares of an app's days vary than chance alone has it; never below one.
///
/// The mean square successive difference (J. von Neumann, Annals of Mathematical Statistics 12 (1941) 367–395)
/// of neighboring days, each in units of its binomial variance: a level that moves once is one pair of them, which is much
/// where counts are large. Between days that were counted in different ways a gap keeps that pair out.
/// Shrunk to one with the weight of `prior` pairs of days. Nil days are gaps; days without sessions too.
package func dayDispersion(_ days: [DayCount?], prior: Double = 5) -> Double {
    let counted = days.compactMap(\.self).filter { $0.total > 0 }
    let all = counted.reduce(0.0) { $0 + Double($1.total) }
    let crashed = counted.reduce(0.0) { $0 + Double($1.crashed) }
    guard all > 0, crashed > 0, crashed < all else { return 1 }
    let rate = crashed / all
    var (sum, pairs) = (0.0, 0.0)
    for (first, second) in zip(days, days.dropFirst()) {
        guard let first, let second, first.total > 0, second.total > 0 else { continue }
        let difference =
            Double(second.crashed) / Double(second.total) - Double(first.crashed) / Double(first.total)
        let chance = rate * (1 - rate) * (1 / Double(first.total) + 1 / Double(second.total))
        sum += difference * difference / chance
        pairs += 1
    }
    return max(1, (prior + sum) / (prior + pairs))
}

/// Whether days show how they vary: two of them follow each other, and some but not all crashed. Without it
/// `dayDispersion` is that of chance for want of anything else.
package func hasDispersion(_ days: [DayCount?]) -> Bool {
    let counted = days.compactMap(\.self).filter { $0.total > 0 }
    return counted.contains { $0.crashed > 0 } && counted.contains { $0.crashed < $0.total }
        && zip(days, days.dropFirst()).contains { ($0?.total ?? 0) > 0 && ($1?.total ?? 0) > 0 }
}

/// The interval of an expected count from one count whose variance is `dispersion` times its mean: the
/// solutions m of (count − m)² = z² dispersion m (the score interval of a Poisson mean, widened as a
/// quasi-Poisson one). The lower bound is zero when the count is zero. Nil unless 0 < confidence < 1, the count
/// is zero or more and the dispersion is above zero.
package func countInterval(
    of count: Double, dispersion: Double = 1, confidence: Double = standardConfidence
) -> Interval? {
    guard count >= 0, count.isFinite, dispersion > 0, dispersion.isFinite, confidence > 0, confidence < 1,
        let quantile = normalQuantile((1 + confidence) / 2)
    else { return nil }
    let half = quantile * quantile * dispersion / 2
    let spread = (half * (2 * count + half)).squareRoot()
    // The product of both solutions is count²: so the lower one keeps its digits.
    return Interval(lower: count * count / (count + half + spread), upper: count + half + spread)
}
