import AppHealth
import Statistics

/// A coarse rate with its interval on the side of the levels on which the verdict on the exact one is: coarse counts may
/// lie across a level that exact ones just keep to, and the verdict is public.
struct AgreedRate {
    /// The crashed share.
    let crashed: Fraction
    /// The interval of the crash-free rate.
    let interval: Interval

    /// - Parameters:
    ///   - crashed: the coarse share.
    ///   - interval: the interval of the coarse crash-free rate.
    ///   - verdict: the verdict on the exact share.
    init(_ crashed: Fraction, _ interval: Interval, _ verdict: Verdict, _ targets: Targets) {
        var (lower, upper) = (interval.lower, interval.upper)
        switch verdict {
        case .meets: lower = max(lower, targets.target)
        case .misses: upper = max(min(upper, targets.target.nextDown), targets.critical)
        case .critical: upper = min(upper, targets.critical.nextDown)
        case .notEnoughData:
            (lower, upper) = (min(lower, targets.target.nextDown), max(upper, targets.target))
        case .unknown: break
        }
        upper = max(upper, lower)
        lower = min(lower, upper)
        self.interval = Interval(lower: lower, upper: upper)
        let whole = Double(crashed.denominator)
        let fewest = Int(((1 - upper) * whole).rounded(.up))
        let most = Int(((1 - lower) * whole).rounded(.down))
        let part = fewest > most ? crashed.numerator : min(max(crashed.numerator, fewest), most)
        self.crashed = Fraction(part, of: crashed.denominator)?.with(error: crashed.error) ?? crashed
    }
}
