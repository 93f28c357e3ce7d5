package import Analysis
package import AppHealth
import Estimates
import Formatting

/// Where a number on a page comes from: the counts it was made of, over which span, from which source, and how.
///
/// It is made next to the number from the same counts, so that the two cannot differ.
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
    /// Where the counts come from; nil when no source reports them.
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
        /// When the counts were captured, or where that is not known the newest good figures of the source.
        package fileprivate(set) var capturedAt: Instant?

        /// The origin of what a source reported.
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

extension [Explanation] {
    /// The numbers of a page whose newest counts were captured at an instant: a page of the past is older than its sources.
    func captured(by instant: Instant?) -> [Explanation] {
        guard let instant else { return self }
        return map { number in
            guard let known = number.origin?.capturedAt, instant < known else { return number }
            var number = number
            number.origin?.capturedAt = instant
            return number
        }
    }
}

extension Explanation {
    /// The counts behind the number.
    package var rows: [Row] {
        switch quantity {
        case .crashFree(let crashed, let unit):
            [
                Row(what: unit, count: countText(crashed.denominator)),
                Row(what: affectedText(unit), count: countText(crashed.numerator)),
            ]
        case .share(let share, let part, let whole):
            [
                Row(what: part, count: countText(share.numerator)),
                Row(what: whole, count: countText(share.denominator)),
            ]
        case .count(let count, let what, _): [Row(what: what, count: countText(count))]
        case .change(let now, let then, let unit, _):
            [
                Row(what: "\(unit) of the later day", count: countText(now.denominator)),
                Row(what: affectedText(unit), count: countText(now.numerator)),
                Row(what: "\(unit) of the earlier day", count: countText(then.denominator)),
                Row(what: affectedText(unit), count: countText(then.numerator)),
            ]
        case .difference(let pair, let unit):
            [
                Row(what: "\(unit) of \(pair.names.later)", count: countText(pair.later.denominator)),
                Row(what: affectedText(unit), count: countText(pair.later.numerator)),
                Row(what: "\(unit) of \(pair.names.earlier)", count: countText(pair.earlier.denominator)),
                Row(what: affectedText(unit), count: countText(pair.earlier.numerator)),
            ]
        case .stated(let rows, _): rows
        case .absent: []
        }
    }

    /// The formula with the counts put in; nil when there is no number.
    package var formula: String? {
        switch quantity {
        case .crashFree(let crashed, _):
            "1 − \(quotient(crashed)) \(equation(PercentFormat.crashFree(crashed)))"
        case .share(let share, _, _): "\(quotient(share)) \(equation(PercentFormat.share(share)))"
        case .count(_, _, let how): how
        case .change(let now, let then, _, let days):
            "(1 − \(quotient(now))) − (1 − \(quotient(then))) = \(value), \(days)"
        case .difference(let pair, _):
            "(1 − \(quotient(pair.later))) − (1 − \(quotient(pair.earlier))) = \(value), "
                + "\(pair.names.later) minus \(pair.names.earlier)"
        case .stated(_, let formula): formula
        case .absent: nil
        }
    }

    /// How the interval was made, with the counts put in; nil when there is none.
    package var intervalFormula: String? {
        if case .difference = quantity {
            return interval.map { "\(standardConfidenceText) Newcombe interval of the difference: \($0)" }
        }
        let counts: (part: Int, whole: Int)? =
            switch quantity {
            case .crashFree(let crashed, _): (crashed.complement.numerator, crashed.denominator)
            case .share(let share, _, _): (share.numerator, share.denominator)
            case .count, .change, .difference, .stated, .absent: nil
            }
        guard let counts, let interval else { return nil }
        return "\(standardConfidenceText) Wilson score interval of \(countText(counts.part)) of "
            + "\(countText(counts.whole)): \(interval)"
    }

    /// What the source means by what was counted; nil when that is neither users nor sessions, or not stated.
    package var definition: (unit: String, meaning: String)? {
        guard let origin else { return nil }
        let words = rows.map(\.what).joined(separator: " ") + " " + label
        let isSessions = words.lowercased().contains("session")
        let isUsers = !isSessions && words.lowercased().contains("user")
        guard isSessions || isUsers else { return nil }
        let meaning = isSessions ? origin.source.sessionDefinition : origin.source.userDefinition
        return meaning.isEmpty ? nil : (isSessions ? "session" : "user", meaning)
    }

    private func affectedText(_ unit: String) -> String {
        unit == "users" ? "affected users" : "crashed \(unit)"
    }

    /// `= 99.12%`, or `is <0.001%` where the decimals do not show the rate.
    private func equation(_ shown: PercentFormat.Shown) -> String {
        (shown.isExact ? "= " : "is ") + shown.rate
    }

    private func quotient(_ share: Fraction) -> String {
        "\(countText(share.numerator)) ÷ \(countText(share.denominator))"
    }
}
