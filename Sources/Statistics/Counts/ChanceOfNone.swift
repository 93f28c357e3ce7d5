private import Platform

/// The chance, in 0…1, that nothing at all is counted where so much is expected.
///
/// - Parameter dispersion: how many times more counts vary than chance has it, 1 or more: by the negative binomial
///   distribution with that ratio of variance and mean, which is Poisson's at 1.
package func chanceOfNone(expected: Double, dispersion: Double) -> Double {
    guard expected > 0 else { return 1 }
    let excess = dispersion - 1
    // Close to 1 the quotient loses its digits.
    return excess < 1e-6 ? exp(-expected) : exp(-expected * log(dispersion) / excess)
}
