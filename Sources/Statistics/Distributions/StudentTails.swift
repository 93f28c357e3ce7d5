private import Glibc

/// Both tails of Student's t distribution; no answer unless the degrees of freedom are positive.
///
/// Through the incomplete beta function, DLMF §8.17 and N. L. Johnson, S. Kotz, N. Balakrishnan, "Continuous
/// Univariate Distributions" 2 (1995) chapter 28.
package func studentTails(_ t: Double, freedom: Double) -> Tails {
    guard !t.isNaN, freedom > 0, freedom.isFinite else { return .unknown }
    let square = (t / freedom.squareRoot()) * (t / freedom.squareRoot())
    let beyond = incompleteBeta(freedom / 2, 0.5, 1 / (1 + square), rest: 1 / (1 + 1 / square))
    let outer = beyond.logLower + log(0.5)
    return t < 0 ? Tails(logLower: outer) : Tails(logUpper: outer)
}

/// The value of Student's t with the wanted tails; nil when there is none.
package func studentQuantile(_ wanted: Tails, freedom: Double) -> Double? {
    let outer = min(wanted.logLower, wanted.logUpper)
    guard outer.isFinite, freedom > 0, freedom.isFinite else { return nil }
    let inner = -expm1(outer + log(2))
    guard inner > 0 else { return 0 }
    let both = outer < log(0.25) ? Tails(logLower: outer + log(2)) : Tails(upper: inner)
    guard let logit = betaLogit(both, freedom / 2, 0.5) else { return nil }
    let magnitude = (freedom * exp(-logit)).squareRoot()
    return wanted.logLower < wanted.logUpper ? -magnitude : magnitude
}
