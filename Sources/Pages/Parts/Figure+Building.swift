import AppHealth
import Diagnostics
import Statistics

extension Figure {
    /// A crash-free rate from the reading of a crashed share.
    ///
    /// - Parameters:
    ///   - unit: what it is a share of: `users`, `sessions`.
    ///   - window: over which span, such as `on Thu 19 Nov 2026`.
    ///   - isEmpty: whether the source told that there were none at all, so that there is no rate.
    init(
        _ label: String, crashed reading: Reading<Fraction>, of unit: String, _ window: String = "",
        isEmpty: Bool = false, from origin: Explanation.Origin? = nil
    ) {
        let judged = judgedBySize(reading)
        self.init(label, judged, window, unit, origin, { .crashFree($0, unit: unit) }) { crashed in
            let shown = RateDisplay.crashFree(crashed)
            return (shown.rate, shown.interval, detailText(crashed.denominator, unit, window))
        }
        if isEmpty, judged.value == nil { setValue(RateDisplay.noneText(unit)) }
    }

    /// A count; `how` it was counted, in a phrase.
    init(
        _ label: String, count reading: Reading<Int>, detail: String? = nil,
        how: String = "as the source counts it", from origin: Explanation.Origin? = nil
    ) {
        self.init(
            label, reading, detail ?? "", "", origin, { .count($0, what: label.lowercased(), how: how) }
        ) { (countText($0), nil, detail) }
    }

    /// A share, such as an adoption: of so many `whole`; `part` names those that have the property.
    init(
        _ label: String, share reading: Reading<Fraction>, _ part: String, of whole: String,
        _ window: String = "", from origin: Explanation.Origin? = nil
    ) {
        self.init(
            label, reading, window, whole, origin, { .share($0, part: part, whole: whole) }
        ) { share in
            let shown = RateDisplay.share(share)
            return (shown.rate, shown.interval, detailText(share.denominator, whole, window))
        }
    }

    private init<Value: Sendable>(
        _ label: String, _ reading: Reading<Value>, _ window: String, _ unit: String,
        _ origin: Explanation.Origin?, _ quantity: (Value) -> Explanation.Quantity,
        _ text: (Value) -> (String, String?, String?)
    ) {
        let (value, interval, detail) = reading.value.map(text) ?? ("–", nil, nil)
        let (state, stateNote) = stateText(reading, unit)
        self.init(
            label: label, value: value, interval: interval, detail: detail, state: state,
            stateNote: stateNote,
            explanation: Explanation(
                id: numberName(label), label: label, value: value, interval: interval, stateNote: stateNote,
                window: window, quantity: reading.value.map(quantity) ?? .absent, origin: origin))
    }

    /// Changes the number here and in its explanation.
    private mutating func setValue(_ text: String) {
        value = text
        explanation.value = text
    }
}

/// A rate whose interval is too wide is below the minimum, unless it is stale already.
private func judgedBySize(_ reading: Reading<Fraction>) -> Reading<Fraction> {
    guard case .loaded(let crashed, let asOf) = reading,
        let needed = RateDisplay.needed(crashed.numerator, of: crashed.denominator)
    else { return reading }
    return .insufficient(crashed, asOf: asOf, needed: needed)
}

/// `of 24,118 users on Thu 19 Nov 2026`.
private func detailText(_ count: Int, _ unit: String, _ window: String) -> String {
    "of \(countText(count)) \(unit)" + (window.isEmpty ? "" : " \(window)")
}

private func stateText<Value>(_ reading: Reading<Value>, _ unit: String) -> (Figure.State, String?) {
    switch reading {
    case .loaded: (.loaded, nil)
    case .stale(_, let asOf, _): (.stale, "stale: as of \(asOf.date.compactText) \(asOf.timeText) UTC")
    case .failed(let why): (.failed, "failed: \(printable(why.summary))")
    case .unavailable(let why): (.unavailable, "not available: \(why)")
    case .insufficient(_, _, let needed): (.insufficient, RateDisplay.neededText(needed, unit: unit))
    }
}
