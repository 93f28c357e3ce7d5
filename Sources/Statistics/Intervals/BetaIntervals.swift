/// The equal-tailed Bayesian interval of a proportion under the Jeffreys prior: quantiles of
/// Beta(x + ½, n − x + ½).
///
/// L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science
/// 16 (2001) 101–133, without their change of the ends. Nil for impossible counts and confidences.
package func jeffreysInterval(successes: Int, of trials: Int, confidence: Double = standardConfidence)
    -> Interval?
{
    guard trials > 0, successes >= 0, successes <= trials, confidence > 0, confidence < 1 else { return nil }
    let (taken, left) = (Double(successes) + 0.5, Double(trials - successes) + 0.5)
    let tail = (1 - confidence) / 2
    return interval(
        lower: betaQuantile(Tails(lower: tail), taken, left),
        upper: betaQuantile(Tails(upper: tail), taken, left))
}

/// The exact interval of a proportion, which holds it at least as often as the confidence says.
///
/// C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
/// binomial", Biometrika 26 (1934) 404–413. Nil for impossible counts and confidences.
package func clopperPearsonInterval(successes: Int, of trials: Int, confidence: Double = standardConfidence)
    -> Interval?
{
    guard trials > 0, successes >= 0, successes <= trials, confidence > 0, confidence < 1 else { return nil }
    let (taken, left) = (Double(successes), Double(trials - successes))
    let tail = (1 - confidence) / 2
    return interval(
        lower: successes == 0 ? 0 : betaQuantile(Tails(lower: tail), taken, left + 1),
        upper: left == 0 ? 1 : betaQuantile(Tails(upper: tail), taken + 1, left))
}

private func interval(lower: Double?, upper: Double?) -> Interval? {
    guard let lower, let upper else { return nil }
    return Interval(lower: lower, upper: upper)
}
