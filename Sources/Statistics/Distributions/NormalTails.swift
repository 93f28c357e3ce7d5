private import Glibc

/// Both tails of the standard normal distribution; exact to its digits at any distance.
///
/// C's erfc near the middle; beyond, the incomplete gamma function of ½ (DLMF §7.11.2) in logarithms.
package func normalTails(_ z: Double) -> Tails {
    guard !z.isNaN else { return .unknown }
    let outer =
        abs(z) < 25
        ? log(0.5 * erfc(abs(z) / 2.0.squareRoot()))
        : incompleteGamma(0.5, z * z / 2).logUpper + log(0.5)
    return z < 0 ? Tails(logLower: outer) : Tails(logUpper: outer)
}

/// The normal deviate with the wanted tails, also where a tail is too small for a Double; nil when there is
/// none.
package func normalQuantile(_ wanted: Tails) -> Double? {
    let outer = min(wanted.logLower, wanted.logUpper)
    guard outer.isFinite else { return nil }
    let deviate = outer > -690 ? normalQuantile(exp(outer)).map { -$0 } : farDeviate(outer)
    return wanted.logLower < wanted.logUpper ? deviate.map { -$0 } : deviate
}

/// Newton's method on the logarithm of the upper tail, which is nearly a parabola.
private func farDeviate(_ logTail: Double) -> Double {
    var deviate = (-2 * logTail).squareRoot()
    for _ in 0..<8 {
        let tail = normalTails(deviate).logUpper
        let slope = -exp(-deviate * deviate / 2 - halfLogTwoPi - tail)
        let step = (tail - logTail) / slope
        guard step.isFinite else { break }
        deviate -= step
    }
    return deviate
}

/// The normal deviate with an upper tail given by its logarithm; nil for a tail of none or all.
func normalQuantile(upperLog: Double) -> Double? { normalQuantile(Tails(logUpper: upperLog)) }
