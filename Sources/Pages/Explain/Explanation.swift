import Analysis
package import AppHealth

/// Where a number on a page comes from: the counts it was made of, over which span, from which source, and how.
///
/// It is made beside the number from the same counts, so that the two cannot differ.
package struct Explanation: Hashable, Sendable {
    /// Its name on its page, such as `crash-free-users`.
    package var id: String
    /// What is counted, such as `Crash-free users`.
    package var label: String
    /// The number as the page shows it.
    package var value: String
    /// Its interval as the page shows it.
    package var interval: String?
    /// Its state in words, unless it is current.
    package var stateNote: String?
    /// What it is counted over, such as `on Thu, Nov 19, 2026`; empty when the source does not say.
    package var window: String
    /// What it is made of.
    package var quantity: Quantity
    /// Where the counts come from; nil when no source tells them.
    package var origin: Origin?

    /// What a number is made of.
    package enum Quantity: Hashable, Sendable {
        /// The rate of those that met no crash, from the crashed share; `unit` is `users` or `sessions`.
        case crashFree(Fraction, unit: String)
        /// A share: so many `part` of so many `whole`.
        case share(Fraction, part: String, whole: String)
        /// A count; `how` it was counted, in a phrase.
        case count(Int, what: String, how: String)
        /// The change of a crash-free rate from an earlier day.
        case change(Fraction, since: Fraction, unit: String, days: String)
        /// The crash-free rate of one release minus that of another, from the crashed shares of both.
        case difference(RateDifference, unit: String)
        /// Several counts and a formula in words.
        case stated(rows: [Row], formula: String)
        /// There is no number.
        case absent
    }

    /// A count behind a number.
    package struct Row: Hashable, Sendable {
        /// What was counted.
        package let what: String
        /// The count as text.
        package let count: String
    }

    /// The source of counts, and when they were captured.
    package struct Origin: Hashable, Sendable {
        /// The source with its definitions.
        package let source: Source
        /// When its newest good figures were captured.
        package let capturedAt: Instant?

        /// The origin of what a source told.
        init(_ facts: SourceFacts) {
            source = facts.source
            capturedAt = facts.capturedAt
        }
    }

    /// A number with the name of its page put before its own: `sketchbook/crash-free-users`.
    func within(_ place: String) -> Explanation {
        var result = self
        result.id = place + "/" + id
        return result
    }
}
