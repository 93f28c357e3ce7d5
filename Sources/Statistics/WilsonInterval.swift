/// The score interval of a proportion: so many successes of so many trials, at a confidence level in 0…1.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
/// American Statistical Association 22 (1927) 209–212. Nil when there were no trials, when the counts are
/// impossible, or when the confidence is not between 0 and 1. A bound is 0 or 1 only when the count is none
/// or all.
package func wilsonInterval(successes: Int, of trials: Int, confidence: Double = standardConfidence)
    -> Interval?
{
    guard trials > 0, successes >= 0, successes <= trials, confidence > 0, confidence < 1,
        let quantile = normalQuantile((1 + confidence) / 2)
    else { return nil }
    let failures = trials - successes
    // The bounds of the rarer outcome keep their digits; the other's are the mirror image.
    let rare = bounds(min(successes, failures), of: trials, quantile)
    guard successes > failures else { return rare }
    return Interval(
        lower:
            min(1 - rare.upper, (1.0).nextDown),
        upper: failures == 0 ? 1 : min(1 - rare.lower, (1.0).nextDown))
}

/// Both bounds of the rarer outcome. The lower one is the product of both roots over the larger: no digits
/// cancel.
private func bounds(_ events: Int, of trials: Int, _ quantile: Double) -> Interval {
    let (share, count) = (Double(events) / Double(trials), Double(trials))
    let square = quantile * quantile
    let centre = share + square / (2 * count)
    let spread = quantile * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
    return Interval(lower: share * share / (centre + spread), upper: (centre + spread) / (1 + square / count))
}
