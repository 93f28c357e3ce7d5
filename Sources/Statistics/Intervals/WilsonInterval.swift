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
    let rare = bounds(Double(min(successes, failures)) / Double(trials), of: Double(trials), quantile)
    return successes > failures ? mirrored(rare, isAll: failures == 0) : rare
}

/// The same interval of a share of so many trials, which need be no whole number: counts that vary more than chance has it
/// are worth as many as their dispersion leaves of them. Nil when there were none, and for impossible shares.
package func wilsonInterval(
    share: Double, of trials: Double, confidence: Double = standardConfidence
) -> Interval? {
    guard trials > 0, trials.isFinite, (0...1).contains(share), confidence > 0, confidence < 1,
        let quantile = normalQuantile((1 + confidence) / 2)
    else { return nil }
    let rare = bounds(min(share, 1 - share), of: trials, quantile)
    return share > 0.5 ? mirrored(rare, isAll: share == 1) : rare
}

/// The interval of the other outcome.
private func mirrored(_ rare: Interval, isAll: Bool) -> Interval {
    Interval(
        lower: min(1 - rare.upper, (1.0).nextDown),
        upper: isAll ? 1 : min(1 - rare.lower, (1.0).nextDown))
}

/// The interval of a proportion whose whole is not counted exactly: the two errors are independent, so the squares of
/// their half widths add up. A bound is 0 or 1 only when it was before.
///
/// - Parameter error: The standard error of the proportion that comes of the count; 0 changes nothing.
package func widened(
    _ interval: Interval, around share: Double, by error: Double, confidence: Double = standardConfidence
) -> Interval {
    guard error > 0, let quantile = normalQuantile((1 + confidence) / 2) else { return interval }
    func reach(_ bound: Double) -> Double {
        let (own, other) = (bound - share, quantile * error)
        return (own * own + other * other).squareRoot()
    }
    return Interval(
        lower: min(interval.lower, max(share - reach(interval.lower), (0.0).nextUp)),
        upper: max(interval.upper, min(share + reach(interval.upper), (1.0).nextDown)))
}

/// Both bounds of the rarer outcome. The lower one is the product of both roots over the larger: no digits
/// cancel.
private func bounds(_ share: Double, of count: Double, _ quantile: Double) -> Interval {
    let square = quantile * quantile
    let center = share + square / (2 * count)
    let spread = quantile * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
    return Interval(lower: share * share / (center + spread), upper: (center + spread) / (1 + square / count))
}

/// About how many more must be counted before the 95% Wilson interval of a rate is at most ± `halfWidth`, if the rate
/// stays; nil when it is already, and for impossible counts.
package func additionalCountNeeded(
    _ part: Int, of whole: Int, halfWidth: Double = wantedHalfWidth
) -> Int? {
    guard let bounds = wilsonInterval(successes: part, of: whole), bounds.width / 2 > halfWidth,
        halfWidth > 0, let quantile = normalQuantile((1 + standardConfidence) / 2)
    else { return nil }
    let share = Double(part) / Double(whole)
    let count = leastCount(from: Double(whole)) { count in
        let reach = wilsonReach(share, of: count, quantile)
        return (reach.down + reach.up) / 2 <= halfWidth
    }
    return max(1, Int(count.rounded(.up)) - whole)
}

/// How far the Wilson interval of a share reaches below and above it, as a function of a real number of trials, with
/// which both fall.
func wilsonReach(_ share: Double, of trials: Double, _ quantile: Double) -> (down: Double, up: Double) {
    let rare = min(share, 1 - share)
    let interval = bounds(rare, of: trials, quantile)
    let (down, up) = (rare - interval.lower, interval.upper - rare)
    return share > 0.5 ? (up, down) : (down, up)
}

/// The most trials that are ever said to be needed.
let mostTrials = 1e15

/// About the least number of trials that is enough, above one that is not: to half of one. It is no less than `mostTrials`
/// where as many are not enough.
func leastCount(from start: Double, where isEnough: (Double) -> Bool) -> Double {
    var (low, high) = (start, start * 2)
    while !isEnough(high), high < mostTrials { high *= 2 }
    while high - low > 0.5 {
        let middle = low + (high - low) / 2
        if isEnough(middle) { high = middle } else { low = middle }
    }
    return high
}
