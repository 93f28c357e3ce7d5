private import Platform

/// The quantile of the standard normal distribution; nil unless 0 < probability < 1.
///
/// Algorithm AS 241 (PPND16), M. J. Wichura, Applied Statistics 37 (1988) 477–484; relative accuracy about
/// 1e-16.
package func normalQuantile(_ probability: Double) -> Double? {
    guard probability > 0, probability < 1 else { return nil }
    let centered = probability - 0.5
    if abs(centered) <= 0.425 {
        let argument = 0.180625 - centered * centered
        return centered * ratio(centralNumerator, centralDenominator, argument)
    }
    let tail = (-log(centered < 0 ? probability : 1 - probability)).squareRoot()
    let magnitude =
        tail <= 5
        ? ratio(middleNumerator, middleDenominator, tail - 1.6)
        : ratio(farNumerator, farDenominator, tail - 5)
    return centered < 0 ? -magnitude : magnitude
}

/// The quotient of two polynomials with the coefficients given from the highest power down.
private func ratio(_ numerator: [Double], _ denominator: [Double], _ argument: Double) -> Double {
    numerator.reduce(0) { $0 * argument + $1 } / denominator.reduce(0) { $0 * argument + $1 }
}

private let centralNumerator = [
    2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
    1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0,
]
private let centralDenominator = [
    5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
    5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1,
]
private let middleNumerator = [
    7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
    3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0,
]
private let middleDenominator = [
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
    1.48103976427480074590e-1,
    6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1,
]
private let farNumerator = [
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
    2.65321895265761230930e-2,
    2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0,
]
private let farDenominator = [
    2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
    7.86869131145613259100e-4,
    1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1,
]

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
