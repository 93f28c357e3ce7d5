private import Platform

/// The regularized incomplete gamma functions P(a, x) and Q(a, x) as the lower and the upper tail.
///
/// Series and continued fraction: NIST Digital Library of Mathematical Functions §8.7.1 and §8.9.2; from
/// a = 10^6 on the uniform expansion of N. M. Temme (DLMF §8.12.3). No result unless a > 0 and x ≥ 0.
package func incompleteGamma(_ a: Double, _ x: Double) -> Tails {
    guard a > 0, a.isFinite, x >= 0 else { return .unknown }
    if x == 0 { return .below }
    if x == .infinity { return .above }
    if a > 1e6 { return uniformGamma(a, x) }
    let kernel = logPoissonKernel(a, mean: x)
    return x < a + 1
        ? Tails(logLower: kernel + log(gammaSeries(a, x)))
        : Tails(logUpper: kernel + log(a) + log(gammaFraction(a, x)))
}

/// The point below which the gamma distribution of shape `a` and scale 1 has the wanted lower tail; nil when
/// there is none.
package func gammaQuantile(_ wanted: Tails, shape a: Double) -> Double? {
    guard a > 0, a.isFinite, !wanted.logLower.isNaN else { return nil }
    if wanted.logLower == -.infinity { return 0 }
    if wanted.logUpper == -.infinity { return .infinity }
    return root(between: -745, and: 709) { incompleteGamma(a, exp($0)).excess(over: wanted) }.map { exp($0) }
}

/// 1 + x/(a+1) + x²/((a+1)(a+2)) + …
private func gammaSeries(_ a: Double, _ x: Double) -> Double {
    var (sum, term, order) = (1.0, 1.0, a)
    for _ in 0..<stepLimit {
        order += 1
        term *= x / order
        sum += term
        if term < sum * 1e-17 { break }
    }
    return sum
}

/// Γ(a, x) e^x x^−a by Lentz's method.
private func gammaFraction(_ a: Double, _ x: Double) -> Double {
    var base = x + 1 - a
    var numerator = 1e300
    var denominator = 1 / base
    var value = denominator
    for step in 1..<stepLimit {
        let factor = -Double(step) * (Double(step) - a)
        base += 2
        denominator = 1 / nonzero(factor * denominator + base)
        numerator = nonzero(base + factor / numerator)
        let change = denominator * numerator
        value *= change
        if abs(change - 1) < 1e-15 { break }
    }
    return value
}

/// The first term of Temme's expansion; what it leaves out is below 1e-12 of the tail for such shapes.
private func uniformGamma(_ a: Double, _ x: Double) -> Tails {
    let deviance = deviancePart(a, x) / a
    let eta = (x < a ? -1 : 1) * (2 * deviance).squareRoot()
    let distance = (x - a) / a
    let correction =
        abs(distance) > 0.01
        ? 1 / distance - 1 / eta
        : -1 / 3.0 + eta * (1 / 12.0 - eta * (2 / 135.0 - eta * (1 / 864.0 + eta / 2835)))
    let normal = normalTails(eta * a.squareRoot())
    let logDensity = -a * deviance - halfLogTwoPi - 0.5 * log(a)
    return eta < 0
        ? Tails(logLower: normal.logLower + log1p(-correction * exp(logDensity - normal.logLower)))
        : Tails(logUpper: normal.logUpper + log1p(correction * exp(logDensity - normal.logUpper)))
}

/// The most steps of a series or fraction; they need about the square root of the largest argument.
let stepLimit = 5_000_000

/// The value, or a tiny one in place of zero, so that a fraction goes on.
func nonzero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
