package import AppHealth
package import Statistics

/// How sure a share is.
extension Fraction {
    /// The 95% Wilson interval of the share.
    package var interval: Interval? { wilsonInterval(successes: numerator, of: denominator) }

    /// About how many more must be counted before the interval is narrow enough; nil when it is.
    package var needed: Int? { additionalCountNeeded(numerator, of: denominator) }

    /// Whether it is so unsure that a day of a release is not drawn.
    package var isUndrawn: Bool {
        additionalCountNeeded(numerator, of: denominator, halfWidth: Self.undrawnHalfWidth) != nil
    }

    /// Half the width of an interval, in 0…1, from which on a share is not drawn.
    package static let undrawnHalfWidth = 0.05
}
