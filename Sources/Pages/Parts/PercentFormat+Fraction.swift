import AppHealth
import Formatting
import Statistics

extension PercentFormat {
    /// The crash-free rate of a crashed share.
    static func crashFree(_ crashed: Fraction) -> Shown {
        // A fraction has a whole, so the unit is never said.
        crashFree(crashed: crashed.numerator, of: crashed.denominator, unit: "")
    }

    /// A share, such as an adoption.
    static func share(_ share: Fraction) -> Shown {
        Self.share(share.numerator, of: share.denominator, unit: "")
    }
}

/// A share as text with decimals borne out by its interval: `2.83%`.
func shareText(_ share: Fraction) -> String { PercentFormat.share(share).rate }

/// A count, or a dash when it is not known.
func countOrDash(_ count: Int?) -> String { count.map(countText) ?? "–" }
