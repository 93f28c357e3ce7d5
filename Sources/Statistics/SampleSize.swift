/// Half the width, in 0…1, that the 95% interval of a rate should have at most: ±0.5 percentage points. A rate that
/// is less sure is shown as of low precision.
package let wantedHalfWidth = 0.005

/// Half the width, in 0…1, from which on a single day of a release is not drawn at all.
package let undrawnHalfWidth = 0.05

/// About how many more must be counted before the 95% Wilson interval of a rate is at most ± `halfWidth`, if the rate
/// stays; nil when it is already, and for impossible counts.
package func additionalCountNeeded(
    _ part: Int, of whole: Int, halfWidth: Double = wantedHalfWidth
) -> Int? {
    guard let bounds = wilsonInterval(successes: part, of: whole), bounds.width / 2 > halfWidth,
        halfWidth > 0, let quantile = normalQuantile((1 + standardConfidence) / 2)
    else { return nil }
    let share = Double(part) / Double(whole)
    let square = quantile * quantile
    // Half the Wilson width as a function of a real count, which it falls with.
    func half(_ count: Double) -> Double {
        quantile * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
            / (1 + square / count)
    }
    var (low, high) = (Double(whole), Double(whole) * 2)
    while half(high) > halfWidth, high < 1e15 { high *= 2 }
    while high - low > 0.5 {
        let middle = low + (high - low) / 2
        if half(middle) > halfWidth { low = middle } else { high = middle }
    }
    return max(1, Int(high.rounded(.up)) - whole)
}
