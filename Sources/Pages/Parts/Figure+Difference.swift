import Analysis
import AppHealth
import Statistics

extension Figure {
    /// A difference of crash-free rates in percentage points.
    ///
    /// - Parameters:
    ///   - unit: what the rates are shares of: `users`, `sessions`.
    ///   - window: over which span, such as `days 0 to 3 of each`.
    init(
        _ label: String, difference reading: DataState<RateDifference>, of unit: String, _ window: String,
        from origin: Explanation.Origin?, for audience: Audience
    ) {
        let pair = reading.value
        var (state, note) = stateText(reading, unit, audience)
        if state == .loaded, let needed = pair?.needText(unit, hidesCounts: audience.hidesCounts) {
            (state, note) = (.insufficient, needed)
        }
        let (value, interval) = (pair?.value ?? "–", pair?.intervalText)
        self.init(
            label: label, value: value, interval: interval, detail: nil, state: state, stateNote: note,
            explanation: Explanation(
                id: numberName(label), label: label, value: value, interval: interval, stateNote: note,
                window: window, quantity: pair.map { .difference($0, unit: unit) } ?? .absent, origin: origin),
            hidesCounts: audience.hidesCounts)
    }
}

extension DataState where Value == Fraction {
    /// The crashed shares of a later and an earlier release together; the worse state of the two is that of both.
    func minus(_ earlier: DataState<Fraction>, _ names: RateDifference.Names) -> DataState<RateDifference> {
        guard let own = value else { return map(orUnavailable: "") { _ in nil } }
        guard let other = earlier.value else { return earlier.map(orUnavailable: "") { _ in nil } }
        let worse = if case .stale = earlier { earlier } else { self }
        return worse.map(orUnavailable: "") { _ in
            RateDifference(later: own, earlier: other, names: names)
        }
    }
}
