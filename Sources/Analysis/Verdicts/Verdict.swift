package import AppHealth
import Statistics

/// What may be said of a crash-free rate against the two levels of an app, judged by its interval.
package enum Verdict: Hashable, Codable, Sendable {
    /// The whole interval lies at or above the target.
    case meets
    /// The whole interval lies below the target.
    case misses
    /// The whole interval lies below the critical level.
    case critical
    /// The interval reaches over the target; about so many more users or sessions are needed, nil where no number of
    /// them would do.
    case notEnoughData(needed: Int?)
    /// There is no rate, or none that may be believed.
    case unknown

    /// The verdict on a crashed share.
    ///
    /// - Parameter dispersion: how many times more its counts vary than chance has it, 1 or more.
    package init(on crashed: Fraction?, dispersion: Double = 1, against targets: Targets) {
        guard let crashed, let bad = crashed.interval(dispersion: dispersion) else {
            self = .unknown
            return
        }
        let (lower, upper) = (1 - bad.upper, 1 - bad.lower)
        if upper < targets.critical {
            self = .critical
        } else if upper < targets.target {
            self = .misses
        } else if lower >= targets.target {
            self = .meets
        } else {
            self = .notEnoughData(
                needed: Self.needed(crashed, dispersion: max(1, dispersion), target: targets.target))
        }
    }

    /// About how many more are needed before the interval clears the target, if the rate p stays: the n at which a
    /// bound w of Wilson's interval is there, n = z² w (1 − w) ÷ (w − p)², which is the equation that its bounds solve
    /// (Wilson 1927). No number proves a target of 100%, nor decides on a rate that is the target itself; one that no
    /// app has is none either. An error of counting approximately does not shrink with the count: what it leaves of
    /// the distance must be enough for chance.
    private static func needed(_ crashed: Fraction, dispersion: Double, target: Double) -> Int? {
        guard let z = normalQuantile((1 + standardConfidence) / 2) else { return nil }
        let (rate, allowed) = (crashed.value, 1 - target)
        let distance = abs(allowed - rate)
        let reach = z * (crashed.error ?? 0)
        guard distance > reach else { return nil }
        let margin = (distance * distance - reach * reach).squareRoot()
        let bound = rate > allowed ? rate - margin : rate + margin
        let wanted = dispersion * z * z * bound * (1 - bound) / (margin * margin)
        let missing = wanted - Double(crashed.denominator)
        guard missing < Double(PlausibleCount.largest) else { return nil }
        return max(1, Int(missing.rounded(.up)))
    }

    /// How much it needs somebody's attention: higher is more.
    package var need: Int {
        switch self {
        case .critical: 4
        case .misses: 3
        case .unknown: 2
        case .notEnoughData: 1
        case .meets: 0
        }
    }
}
