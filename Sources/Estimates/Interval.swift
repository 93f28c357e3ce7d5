/// A span of values that an estimate may have, such as a confidence interval.
package struct Interval: Hashable, Codable, Sendable {
    /// The lower bound.
    package let lower: Double
    /// The upper bound, never below the lower one.
    package let upper: Double

    /// The span between two bounds; swapped ones are put in order, one that is not a number counts as the other.
    package init(lower first: Double, upper second: Double) {
        let lower = first.isNaN ? second : first
        let upper = second.isNaN ? first : second
        self.lower = min(lower, upper)
        self.upper = max(lower, upper)
    }

    /// Upper minus lower, in the unit of the value.
    package var width: Double { upper - lower }

    /// Whether the value lies within the bounds.
    package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

/// What two samples lack for a difference that is sure enough.
package enum PairNeed: Hashable, Codable, Sendable {
    /// About so many more trials of the later sample.
    case later(Int)
    /// About so many more trials of the earlier sample.
    case earlier(Int)
    /// More trials of both: no number of one alone is enough.
    case both
}

/// The confidence of every interval that is shown, in 0…1.
package let standardConfidence = 0.95

/// Half the width, in 0…1, that the 95% interval of a rate should have at most: ±0.5 percentage points. A rate that
/// is less sure is shown as of low precision.
package let wantedHalfWidth = 0.005
