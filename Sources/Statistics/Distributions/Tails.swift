private import Platform

/// Both tails of a distribution at a point, kept as natural logarithms so that neither loses its digits.
package struct Tails: Hashable, Sendable {
    /// The logarithm of the probability below the point; NaN when there is no result.
    package let logLower: Double
    /// The logarithm of the probability above the point; NaN when there is no result.
    package let logUpper: Double

    /// The probability below the point, in 0…1.
    package var lower: Double { exp(logLower) }
    /// The probability above the point, in 0…1.
    package var upper: Double { exp(logUpper) }

    /// The lower tail is known; the upper one is what is left.
    init(logLower: Double) {
        self.init(logLower: min(logLower, 0), logUpper: logComplement(min(logLower, 0)))
    }

    /// The upper tail is known; the lower one is what is left.
    init(logUpper: Double) {
        self.init(logLower: logComplement(min(logUpper, 0)), logUpper: min(logUpper, 0))
    }

    /// A lower tail as a probability; one outside 0…1 has no result.
    package init(lower: Double) {
        self.init(logLower: lower >= 0 && lower <= 1 ? log(lower) : .nan, logUpper: log1p(-lower))
    }

    /// An upper tail as a probability; one outside 0…1 has no result.
    package init(upper: Double) { self = Tails(lower: upper).swapped }

    private init(logLower: Double, logUpper: Double) {
        self.logLower = logLower
        self.logUpper = logUpper
    }

    /// The tails of the mirrored distribution.
    var swapped: Tails { Tails(logLower: logUpper, logUpper: logLower) }

    /// Neither tail has a result.
    static let unknown = Tails(logLower: .nan, logUpper: .nan)
    /// The point lies below all of the distribution.
    static let below = Tails(logLower: -.infinity, logUpper: 0)
    /// The point lies above all of the distribution.
    static let above = Tails(logLower: 0, logUpper: -.infinity)

    /// How far the smaller of the wanted tails is missed, as a logarithm that grows with the point.
    func excess(over wanted: Tails) -> Double {
        wanted.logLower <= wanted.logUpper ? logLower - wanted.logLower : wanted.logUpper - logUpper
    }
}

/// The logarithm of 1 − exp(x) for x ≤ 0.
///
/// M. Mächler, "Accurately computing log(1 − exp(−|a|))", 2012, for the place where the forms change.
func logComplement(_ logarithm: Double) -> Double {
    logarithm > -0.6931471805599453 ? log(-expm1(logarithm)) : log1p(-exp(logarithm))
}

/// Both tails of Student's t distribution; no result unless the degrees of freedom are positive.
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
