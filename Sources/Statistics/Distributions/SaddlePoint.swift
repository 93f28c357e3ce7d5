private import Platform

// Probabilities of counts without cancelling logarithms of factorials.
// C. Loader, "Fast and accurate computation of binomial probabilities", 2000.

/// The natural logarithm of the gamma function for positive arguments; NaN for others.
package func logGamma(_ argument: Double) -> Double {
    // This form returns the sign next to the value and so leaves C's global sign alone.
    argument > 0 ? lgamma(argument).0 : .nan
}

/// log Γ(n + 1) − (n + ½) log n + n − ½ log 2π for n > 0: what Stirling's formula leaves out.
func stirlingError(_ count: Double) -> Double {
    guard count > 15 else {
        return logGamma(count + 1) - (count + 0.5) * log(count) + count - halfLogTwoPi
    }
    let inverse = 1 / (count * count)
    let series =
        1 / 12.0 - inverse
        * (1 / 360.0 - inverse
            * (1 / 1260.0 - inverse
                * (1 / 1680.0 - inverse
                    * (1 / 1188.0
                        - inverse * 691 / 360_360))))
    return series / count
}

/// x log(x / m) + m − x for x ≥ 0 and m > 0, without cancellation where x is near m.
func deviancePart(_ count: Double, _ mean: Double) -> Double {
    guard count > 0 else { return mean }
    let difference = count - mean
    guard abs(difference) < 0.1 * (count + mean) else {
        return count * (log(count) - log(mean)) + mean - count
    }
    let slope = difference / (count + mean)
    let square = slope * slope
    var sum = difference * slope
    var term = 2 * count * slope
    for order in 1..<1000 {
        term *= square
        let next = sum + term / Double(2 * order + 1)
        if next == sum { break }
        sum = next
    }
    return sum
}

/// log of x^a e^−x / Γ(a + 1) for a ≥ 0: the Poisson probability of a count that need not be whole.
func logPoissonKernel(_ count: Double, mean: Double) -> Double {
    if mean == 0 { return count == 0 ? 0 : -.infinity }
    if count == 0 { return -mean }
    return -stirlingError(count) - deviancePart(count, mean) - halfLogTwoPi - 0.5 * log(count)
}

/// log of the binomial probability of `a` successes and `b` failures, neither of them need be whole, where
/// the chances of success and failure are `chance` and `rest`.
func logBinomialKernel(_ a: Double, _ b: Double, chance: Double, rest: Double) -> Double {
    let total = a + b
    if a == 0 { return chance < rest ? b * log1p(-chance) : b * log(rest) }
    if b == 0 { return rest < chance ? a * log1p(-rest) : a * log(chance) }
    if chance == 0 || rest == 0 { return -.infinity }
    let errors = stirlingError(total) - stirlingError(a) - stirlingError(b)
    let deviance = deviancePart(a, total * chance) + deviancePart(b, total * rest)
    return errors - deviance - halfLogTwoPi + 0.5 * (log(total) - log(a) - log(b))
}

/// The logarithm of the beta function for positive arguments; NaN for others.
package func logBeta(_ a: Double, _ b: Double) -> Double {
    guard a > 0, b > 0, a.isFinite, b.isFinite else { return .nan }
    let (small, large) = (min(a, b), max(a, b))
    guard large > 15 else { return logGamma(a) + logGamma(b) - logGamma(a + b) }
    let share = small / (small + large)
    let power = small * log(share) + large * log1p(-share)
    let kernel = logBinomialKernel(small, large, chance: share, rest: large / (small + large))
    return power - kernel - log(small) - log(large / (small + large))
}

/// ½ log 2π.
let halfLogTwoPi = 0.918938533204672741780329736406
