import Analysis
import AppHealth
import Diagnostics
import Formatting
import Statistics

extension Figure {
    /// A crash-free rate from the reading of a crashed share.
    ///
    /// - Parameters:
    ///   - unit: what it is a share of: `users`, `sessions`.
    ///   - window: over which span, such as `on Thu, Nov 19, 2026`.
    ///   - isEmpty: whether the source told that there were none at all, so that there is no rate.
    ///   - audience: who reads it; of how many it is a rate is left out where counts are hidden.
    init(
        _ label: String, crashed reading: DataState<Fraction>, of unit: String, _ window: String = "",
        isEmpty: Bool = false, from origin: Explanation.Origin? = nil, for audience: Audience = .team
    ) {
        let judged = judgedBySize(reading)
        self.init(label, judged, window, unit, origin, audience, { .crashFree($0, unit: unit) }) { crashed in
            let shown = PercentFormat.crashFree(crashed)
            return (shown.rate, shown.interval, detailText(crashed.denominator, unit, window, audience))
        }
        if isEmpty, judged.value == nil { setValue(PercentFormat.noneText(unit)) }
    }

    /// A count; `how` it was counted, in a phrase.
    init(
        _ label: String, count reading: DataState<Int>, detail: String? = nil,
        how: String = "as the source counts it", from origin: Explanation.Origin? = nil
    ) {
        self.init(
            label, reading, detail ?? "", "", origin, .team,
            { .count($0, what: label.lowercased(), how: how) }
        ) { (countText($0), nil, detail) }
    }

    /// A share, such as an adoption: of so many `whole`; `part` names those that have the property.
    init(
        _ label: String, share reading: DataState<Fraction>, _ part: String, of whole: String,
        _ window: String = "", from origin: Explanation.Origin? = nil, for audience: Audience = .team
    ) {
        self.init(
            label, reading, window, whole, origin, audience, { .share($0, part: part, whole: whole) }
        ) { share in
            let shown = PercentFormat.share(share)
            return (shown.rate, shown.interval, detailText(share.denominator, whole, window, audience))
        }
    }

    private init<Value: Sendable>(
        _ label: String, _ reading: DataState<Value>, _ window: String, _ unit: String,
        _ origin: Explanation.Origin?, _ audience: Audience, _ quantity: (Value) -> Explanation.Quantity,
        _ text: (Value) -> (String, String?, String?)
    ) {
        let (value, interval, detail) = reading.value.map(text) ?? ("–", nil, nil)
        let (state, stateNote) = stateText(reading, unit, audience)
        self.init(
            label: label, value: value, interval: interval, detail: detail, state: state,
            stateNote: stateNote,
            explanation: Explanation(
                id: numberName(label), label: label, value: value, interval: interval, stateNote: stateNote,
                window: window, quantity: reading.value.map(quantity) ?? .absent, origin: origin),
            hidesCounts: audience.hidesCounts)
    }

    /// Changes the number here and in its explanation.
    private mutating func setValue(_ text: String) {
        value = text
        explanation.value = text
    }
}

/// A rate whose interval is too wide is below the minimum, unless it is stale already.
private func judgedBySize(_ reading: DataState<Fraction>) -> DataState<Fraction> {
    guard case .loaded(let crashed, let asOf) = reading,
        let needed = additionalCountNeeded(crashed.numerator, of: crashed.denominator)
    else { return reading }
    return .insufficient(crashed, asOf: asOf, needed: needed)
}

/// `of 24,118 users on Thu, Nov 19, 2026`; `of users on …` for whom counts are hidden.
private func detailText(_ count: Int, _ unit: String, _ window: String, _ audience: Audience) -> String {
    let whole = audience.hidesCounts ? "of \(unit)" : "of \(countText(count)) \(unit)"
    return whole + (window.isEmpty ? "" : " \(window)")
}

func stateText<Value>(
    _ reading: DataState<Value>, _ unit: String, _ audience: Audience
) -> (Figure.State, String?) {
    switch reading {
    case .loaded: (.loaded, nil)
    case .stale(_, let asOf, _): (.stale, "stale: as of \(asOf.proseText)")
    case .failed(let why): (.failed, "failed: \(printable(why.summary))")
    case .unavailable(let why): (.unavailable, "not available: \(why)")
    case .insufficient where audience.hidesCounts:
        (.insufficient, "more \(unit) needed for \(PercentFormat.precisionText())")
    case .insufficient(_, _, let needed): (.insufficient, PercentFormat.neededText(needed, unit: unit))
    }
}
