/// The interval of the difference of two proportions, later minus earlier, from the Wilson intervals of both.
///
/// R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
/// Medicine 17 (1998) 873–890, method 10. Nil unless 0 < confidence < 1.
///
/// - Parameters:
///   - errors: The standard errors of the proportions that come of counting their wholes approximately.
///   - sampling: By what the counts of samples were multiplied; 1 where they are no sample.
package func newcombeInterval(
    of pair: ProportionPair, confidence: Double = standardConfidence,
    errors: (later: Double, earlier: Double) = (0, 0), sampling: (later: Double, earlier: Double) = (1, 1)
) -> Interval? {
    guard
        let ownLater = wilsonInterval(
            successes: pair.laterSuccesses, of: pair.laterTrials, sampling.later, confidence),
        let ownEarlier = wilsonInterval(
            successes: pair.earlierSuccesses, of: pair.earlierTrials, sampling.earlier, confidence)
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

/// The interval of counts that were multiplied by a factor.
private func wilsonInterval(
    successes: Int, of trials: Int, _ factor: Double, _ confidence: Double
) -> Interval? {
    guard factor > 1 else { return wilsonInterval(successes: successes, of: trials, confidence: confidence) }
    return wilsonInterval(
        share: Double(successes) / Double(trials), of: Double(trials) / factor, confidence: confidence)
}

private func length(_ first: Double, _ second: Double) -> Double {
    (first * first + second * second).squareRoot()
}
