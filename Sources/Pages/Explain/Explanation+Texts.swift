import AppHealth
import Formatting
import Statistics

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
            "1 − \(quotient(crashed)) = \(PercentFormat.crashFree(crashed).rate)"
        case .share(let share, _, _): "\(quotient(share)) = \(PercentFormat.share(share).rate)"
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

    private func quotient(_ share: Fraction) -> String {
        "\(countText(share.numerator)) ÷ \(countText(share.denominator))"
    }
}
