/// The interval of the difference of two proportions, later minus earlier, from the Wilson intervals of both.
///
/// R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
/// Medicine 17 (1998) 873–890, method 10. Nil unless 0 < confidence < 1.
package func newcombeInterval(of pair: ProportionPair, confidence: Double = standardConfidence) -> Interval? {
    guard
        let later = wilsonInterval(
            successes: pair.laterSuccesses, of: pair.laterTrials, confidence: confidence),
        let earlier = wilsonInterval(
            successes: pair.earlierSuccesses, of: pair.earlierTrials, confidence: confidence)
    else { return nil }
    let down = length(pair.laterShare - later.lower, earlier.upper - pair.earlierShare)
    let up = length(later.upper - pair.laterShare, pair.earlierShare - earlier.lower)
    return Interval(lower: max(-1, pair.difference - down), upper: min(1, pair.difference + up))
}

private func length(_ first: Double, _ second: Double) -> Double {
    (first * first + second * second).squareRoot()
}
