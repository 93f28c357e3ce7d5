private import Platform

/// The regularized incomplete beta function I_x(a, b) as the lower tail, 1 − I_x(a, b) as the upper one.
///
/// Continued fraction DLMF §8.17.22; when both parameters exceed 10^6, the uniform expansion §8.18.9. `rest`
/// is 1 − x where it is known to more digits than x gives it. No result unless a and b are positive and x lies
/// in 0…1.
package func incompleteBeta(_ a: Double, _ b: Double, _ x: Double, rest: Double? = nil) -> Tails {
    let rest = rest ?? 1 - x
    guard a > 0, b > 0, a.isFinite, b.isFinite, x >= 0, x <= 1, rest >= 0, rest <= 1 else {
        return .unknown
    }
    if x == 0 { return .below }
    if rest == 0 { return .above }
    if min(a, b) > 1e6 { return uniformBeta(a, b, x, rest) }
    let kernel = logBinomialKernel(a, b, chance: x, rest: rest) - log(a + b)
    return x < (a + 1) / (a + b + 2)
        ? Tails(logLower: kernel + log(b) + log(betaFraction(a, b, x)))
        : Tails(logUpper: kernel + log(a) + log(betaFraction(b, a, rest)))
}

/// log(x / (1 − x)) of the point x below which the beta distribution has the wanted lower tail: neither end loses digits.
/// Nil when there is none.
func betaLogit(_ wanted: Tails, _ a: Double, _ b: Double) -> Double? {
    guard a > 0, b > 0, a.isFinite, b.isFinite, !wanted.logLower.isNaN else { return nil }
    if wanted.logLower == -.infinity { return -.infinity }
    if wanted.logUpper == -.infinity { return .infinity }
    return root(between: -745, and: 745) { logit in
        incompleteBeta(a, b, 1 / (1 + exp(-logit)), rest: 1 / (1 + exp(logit))).excess(over: wanted)
    }
}

/// The continued fraction by Lentz's method.
private func betaFraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let total = a + b
    var numerator = 1.0
    var denominator = 1 / nonzero(1 - total * x / (a + 1))
    var value = denominator
    for step in 1..<stepLimit {
        let order = Double(step)
        let even = order * (b - order) * x / ((a + 2 * order - 1) * (a + 2 * order))
        denominator = 1 / nonzero(1 + even * denominator)
        numerator = nonzero(1 + even / numerator)
        value *= denominator * numerator
        let odd = -(a + order) * (total + order) * x / ((a + 2 * order) * (a + 2 * order + 1))
        denominator = 1 / nonzero(1 + odd * denominator)
        numerator = nonzero(1 + odd / numerator)
        let change = denominator * numerator
        value *= change
        if abs(change - 1) < 2e-15 { break }
    }
    return value
}

/// The first term of Temme's expansion; what it leaves out is below 1e-10 of the tail for such parameters.
private func uniformBeta(_ a: Double, _ b: Double, _ x: Double, _ rest: Double) -> Tails {
    let total = a + b
    let (center, other) = (a / total, b / total)
    let deviance = deviancePart(a, total * x) + deviancePart(b, total * rest)
    let deviate = (x < center ? -1 : 1) * (2 * deviance).squareRoot()
    let spread = (center * other).squareRoot()
    let distance = x < 0.5 ? x - center : other - rest
    let correction =
        abs(deviate) > 1e-5
        ? total.squareRoot() / deviate - spread / distance
        : (1 - 2 * center) / (3 * spread)
    let normal = normalTails(deviate)
    let logDensity = -deviance - halfLogTwoPi - 0.5 * log(total)
    return deviate < 0
        ? Tails(logLower: normal.logLower + log1p(correction * exp(logDensity - normal.logLower)))
        : Tails(logUpper: normal.logUpper + log1p(-correction * exp(logDensity - normal.logUpper)))
}
