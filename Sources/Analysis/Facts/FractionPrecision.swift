package import AppHealth
package import Statistics

extension Coverage {
    /// How far a count of different ones may miss, as a share of it in 95 of 100 cases; nil when it is exact.
    package var halfWidth: Double? { deviationReach(deviation) }
}

/// How far a count with this relative standard error may miss, as a share of it in 95 of 100 cases; nil when it is exact.
package func deviationReach(_ deviation: Double) -> Double? {
    deviation > 0 ? normalQuantile((1 + standardConfidence) / 2).map { $0 * deviation } : nil
}

/// How sure a share is.
extension Fraction {
    /// The 95% Wilson interval of the share, wider where its whole is counted approximately.
    package var interval: Interval? {
        wilsonInterval(successes: numerator, of: denominator).map {
            widened($0, around: value, by: error ?? 0)
        }
    }

    /// The same where the counts vary so many times more than chance has it, 1 or more.
    func interval(dispersion: Double) -> Interval? {
        guard dispersion > 1 else { return interval }
        return wilsonInterval(share: value, of: Double(denominator) / dispersion).map {
            widened($0, around: value, by: error ?? 0)
        }
    }

    /// The relative standard error of its whole, as far as the rate shows it; nil when that is exact.
    package var deviation: Double? { error.flatMap { value > 0 ? $0 / value : nil } }

    /// The share of a part that may be counted approximately as its whole is: both errors add up, and the part is never
    /// more than the whole.
    init?(part: Int, of whole: Int, deviation: Double?) {
        guard let deviation else {
            self.init(part, of: whole)
            return
        }
        guard let share = Fraction(min(part, whole), of: whole) else { return nil }
        self = share.with(error: share.value * deviation * (2.0).squareRoot())
    }

    /// The least share that its whole, which may be counted approximately, allows in 95 of 100 cases.
    var leastValue: Double { max(0, value - (error.flatMap(deviationReach) ?? 0)) }

    /// The error of a rate that sums others up: at most as if all of them missed in one direction.
    static func error(of parts: [Fraction]) -> Double? {
        guard parts.contains(where: { $0.error != nil }) else { return nil }
        let whole = parts.reduce(0) { $0 + Double($1.denominator) }
        return parts.reduce(0) { $0 + ($1.error ?? 0) * Double($1.denominator) } / whole
    }

    /// About how many more must be counted before the interval is narrow enough; nil when it is.
    package var needed: Int? { additionalCountNeeded(numerator, of: denominator) }

    /// Whether it is so unsure that a day of a release is not drawn.
    package var isUndrawn: Bool {
        additionalCountNeeded(numerator, of: denominator, halfWidth: Self.undrawnHalfWidth) != nil
    }

    /// Half the width of an interval, in 0…1, from which on a share is not drawn.
    package static let undrawnHalfWidth = 0.05
}
