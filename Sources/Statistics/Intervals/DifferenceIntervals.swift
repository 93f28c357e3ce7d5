private import Platform

/// The interval of the difference of two proportions, later minus earlier, from the Wilson intervals of both.
///
/// R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
/// Medicine 17 (1998) 873–890, method 10. Nil unless 0 < confidence < 1.
///
/// - Parameter errors: The standard errors of the proportions that come of counting their wholes approximately.
package func newcombeInterval(
    of pair: ProportionPair, confidence: Double = standardConfidence,
    errors: (later: Double, earlier: Double) = (0, 0)
) -> Interval? {
    guard
        let ownLater = wilsonInterval(
            successes: pair.laterSuccesses, of: pair.laterTrials, confidence: confidence),
        let ownEarlier = wilsonInterval(
            successes: pair.earlierSuccesses, of: pair.earlierTrials, confidence: confidence)
    else { return nil }
    let later = widened(ownLater, around: pair.laterShare, by: errors.later, confidence: confidence)
    let earlier = widened(ownEarlier, around: pair.earlierShare, by: errors.earlier, confidence: confidence)
    return newcombeInterval(
        of: pair.difference, later: (pair.laterShare, later), earlier: (pair.earlierShare, earlier))
}

/// The same from two proportions, each with its interval, and their difference.
package func newcombeInterval(
    of difference: Double, later: (share: Double, interval: Interval),
    earlier: (share: Double, interval: Interval)
) -> Interval {
    let down = length(later.share - later.interval.lower, earlier.interval.upper - earlier.share)
    let up = length(later.interval.upper - later.share, earlier.share - earlier.interval.lower)
    return Interval(lower: max(-1, difference - down), upper: min(1, difference + up))
}

private func length(_ first: Double, _ second: Double) -> Double {
    (first * first + second * second).squareRoot()
}

/// The score interval of the difference of two proportions, later minus earlier.
///
/// O. Miettinen, M. Nurminen, "Comparative analysis of two rates", Statistics in Medicine 4 (1985) 213–226.
/// Nil unless 0 < confidence < 1.
package func miettinenNurminenInterval(of pair: ProportionPair, confidence: Double = standardConfidence)
    -> Interval?
{
    guard confidence > 0, confidence < 1, let quantile = normalQuantile((1 + confidence) / 2),
        let lower = root(between: -1, and: pair.difference, of: { quantile - score(pair, $0) }),
        let upper = root(between: pair.difference, and: 1, of: { -quantile - score(pair, $0) })
    else { return nil }
    return Interval(lower: lower, upper: upper)
}

/// How far the difference that was seen lies above a supposed one, in standard errors under the latter.
private func score(_ pair: ProportionPair, _ supposed: Double) -> Double {
    let gap = pair.difference - supposed
    if gap == 0 { return 0 }
    let (later, earlier) = (Double(pair.laterTrials), Double(pair.earlierTrials))
    let earlierShare = restrictedShare(pair, supposed)
    let laterShare = min(max(earlierShare + supposed, 0), 1)
    let variance = laterShare * (1 - laterShare) / later + earlierShare * (1 - earlierShare) / earlier
    let corrected = variance * (later + earlier) / (later + earlier - 1)
    return corrected > 0 ? gap / corrected.squareRoot() : gap * .infinity
}

/// The most likely earlier share when the difference is as supposed: the root of their equation (appendix I).
private func restrictedShare(_ pair: ProportionPair, _ supposed: Double) -> Double {
    let (later, earlier) = (Double(pair.laterTrials), Double(pair.earlierTrials))
    let taken = Double(pair.earlierSuccesses)
    let all = Double(pair.laterSuccesses) + taken
    let cubic = later + earlier
    let square = (later + 2 * earlier) * supposed - cubic - all
    let linear = (earlier * supposed - cubic - 2 * taken) * supposed + all
    let constant = taken * supposed * (1 - supposed)
    let third = square / (3 * cubic)
    let turn = third * third * third - square * linear / (6 * cubic * cubic) + constant / (2 * cubic)
    let radius = (turn < 0 ? -1 : 1) * max(0, third * third - linear / (3 * cubic)).squareRoot()
    let cosine = radius == 0 ? 0 : turn / (radius * radius * radius)
    let angle = (Double.pi + acos(min(max(cosine, -1), 1))) / 3
    let share = 2 * radius * cos(angle) - third
    return min(max(share, max(0, -supposed)), min(1, 1 - supposed))
}
