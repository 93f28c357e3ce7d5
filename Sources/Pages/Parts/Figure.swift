import Analysis
import AppHealth
package import Charts
import Diagnostics
import Estimates
import Formatting
package import Templates

/// One number with its name, its interval, and its state.
package struct Figure: TemplateModel, Hashable {
    /// How sure the number is; the same states as `DataState`.
    package enum State: String, Sendable, CaseIterable {
        case loaded, stale, failed, unavailable, insufficient
    }

    package static let modelName = "figure"
    package var label: String
    package var value: String
    package var interval: String?
    package var detail: String?
    /// Its state.
    package var state: State
    package var stateNote: String?
    /// Where it comes from, made from the same counts.
    package var explanation: Explanation
    /// Its last 28 days, on the overview of an app.
    package var trend: Sparkline?
    /// How it changed from the same weekday a week before, on the overview of an app.
    package var change: String?
    /// Its name on a page that shows the number of another app too; nil when that of its explanation is unique.
    package var nameOnPage: String?

    package static let fields: [Field<Figure>] = [
        .text("id", "Its name, unique on the page, such as `crash-free-users`") {
            $0.nameOnPage ?? $0.explanation.id
        },
        .text("label", "What is counted, such as `Crash-free users`", \.label),
        .text("value", "The number, such as `99.12%`; `–` when there is none", \.value),
        .optionalText("interval", "Its 95% interval, such as `98.98–99.24`", \.interval),
        .optionalText("detail", "What it was counted from, such as `of 24,118 users`", \.detail),
        .optionalText(
            "change",
            "The change from the same weekday a week before, such as `−0.21 pp vs. Thu, Nov 12, 2026`, or from the 28 days before; on the overview of an app",
            \.change),
        .optional("sparkline", "Its last 28 days as a small chart; on the overview of an app") {
            $0.trend.map { ChartView($0) }
        },
        .text("state", "`loaded`, `stale`, `failed`, `unavailable` or `insufficient`") { $0.state.rawValue },
        .optionalText(
            "stateNote",
            "The state in words unless up to date, such as `Stale: data from Thu, Nov 19, 2026, 06:00 UTC`",
            \.stateNote),
        .flag("isLoaded", "True when the number is current") { $0.state == .loaded },
        .flag("isStale", "True when a newer attempt failed") { $0.state == .stale },
        .flag("isFailed", "True when no attempt ever succeeded") { $0.state == .failed },
        .flag("isUnavailable", "True when no source provides it") { $0.state == .unavailable },
        .flag("isInsufficient", "True when the sample is too small for a verdict") {
            $0.state == .insufficient
        },
    ]
}

extension Figure {
    /// A crash-free rate from the reading of a crashed share.
    ///
    /// - Parameters:
    ///   - unit: what it is a share of: `users`, `sessions`.
    ///   - window: over which span, such as `on Thu, Nov 19, 2026`.
    ///   - isEmpty: whether the source reported that there were none at all, so that there is no rate.
    ///   - scope: the audience; of how many it is a rate is hidden where counts are.
    init(
        _ id: FigureID, crashed reading: Measured<Fraction>, of unit: String, _ window: String = "",
        isEmpty: Bool = false, from source: SourceFacts?, in scope: AppScope
    ) {
        let judged = judgedBySize(reading)
        let audience = scope.audience
        self.init(id, judged, window, unit, source, scope, { .crashFree($0, unit: unit) }) { crashed in
            let shown = PercentFormat.crashFree(crashed)
            return (shown.rate, shown.interval, detailText(crashed.denominator, unit, window, audience))
        }
        if isEmpty, judged.value == nil { setValue(PercentFormat.noneText(unit)) }
    }

    /// A count; `how` it was counted, in a phrase.
    init(
        _ id: FigureID, count reading: Measured<Int>, detail: String? = nil,
        how: String = "as the source counts it", from source: SourceFacts?, in scope: AppScope
    ) {
        let what = scope.labels[id].lowercased()
        self.init(
            id, reading.state, detail ?? "", "", source, scope, { .count($0, what: what, how: how) }
        ) { (countText($0), nil, detail) }
    }

    /// A share, such as an adoption: of so many `whole`; `part` names those that have the property.
    init(
        _ id: FigureID, share reading: Measured<Fraction>, _ part: String, of whole: String,
        _ window: String = "", from source: SourceFacts?, in scope: AppScope
    ) {
        let audience = scope.audience
        self.init(
            id, reading.state, window, whole, source, scope, { .share($0, part: part, whole: whole) }
        ) { share in
            let shown = PercentFormat.share(share)
            return (shown.rate, shown.interval, detailText(share.denominator, whole, window, audience))
        }
    }

    private init<Value: Sendable>(
        _ id: FigureID, _ reading: DataState<Value>, _ window: String, _ unit: String,
        _ source: SourceFacts?, _ scope: AppScope, _ quantity: (Value) -> Explanation.Quantity,
        _ text: (Value) -> (String, String?, String?)
    ) {
        let (value, interval, detail) = reading.value.map(text) ?? ("–", nil, nil)
        let (state, stateNote) = stateText(reading, unit, scope.audience)
        let label = scope.labels[id]
        self.init(
            label: label, value: value, interval: interval, detail: detail, state: state,
            stateNote: stateNote,
            explanation: Explanation(
                id: id.rawValue, label: label, value: value, interval: interval, stateNote: stateNote,
                window: window, quantity: reading.value.map(quantity) ?? .absent,
                origin: source.map(Explanation.Origin.init)))
    }

    /// The same with its day as its state, where its source goes on and it is of a day long before the newest one.
    func of(_ day: CivilDate, from source: SourceFacts?) -> Figure {
        guard state == .loaded, source?.hasNewer(than: day) == true else { return self }
        var figure = self
        figure.stateNote = "As of \(day.compactText)"
        figure.explanation.stateNote = figure.stateNote
        return figure
    }

    /// Changes the number here and in its explanation.
    private mutating func setValue(_ text: String) {
        value = text
        explanation.value = text
    }
}

/// A rate whose interval is too wide is below the minimum, unless it is stale already.
private func judgedBySize(_ measured: Measured<Fraction>) -> DataState<Fraction> {
    let reading = measured.state
    guard case .loaded(let crashed, let asOf) = reading,
        let needed = crashed.needed
    else { return reading }
    return .insufficient(crashed, asOf: asOf, needed: needed)
}

/// `of 24,118 users on Thu, Nov 19, 2026`, `of 1 user`; `of users on …` for whom counts are hidden.
private func detailText(_ count: Int, _ unit: String, _ window: String, _ audience: Audience) -> String {
    let whole = audience.hidesCounts ? "of \(unit)" : "of \(unitText(count, unit))"
    return whole + (window.isEmpty ? "" : " \(window)")
}

func stateText<Value>(
    _ reading: DataState<Value>, _ unit: String, _ audience: Audience
) -> (Figure.State, String?) {
    switch reading {
    case .loaded: (.loaded, nil)
    case .stale(_, let asOf, _): (.stale, staleText(asOf))
    case .failed(let why): (.failed, "Failed: \(printable(why.summary))")
    case .unavailable(let why): (.unavailable, "Not available: \(why)")
    case .insufficient where audience.hidesCounts:
        (.insufficient, "Low precision: more \(unit) needed for \(PercentFormat.precisionText())")
    case .insufficient(_, _, let needed):
        (.insufficient, "Low precision: " + PercentFormat.neededText(needed, unit: unit))
    }
}

extension Figure {
    /// A difference of crash-free rates in percentage points.
    ///
    /// - Parameters:
    ///   - unit: what the rates are shares of: `users`, `sessions`.
    ///   - window: over which span, such as `days 0–3`.
    init(
        _ id: FigureID, difference measured: Measured<RateDifference>, of unit: String, _ window: String,
        from source: SourceFacts?, in scope: AppScope
    ) {
        let (reading, audience, label) = (measured.state, scope.audience, scope.labels[id])
        let pair = reading.value
        var (state, note) = stateText(reading, unit, audience)
        if state == .loaded, let needed = pair?.needText(unit, hidesCounts: audience.hidesCounts) {
            (state, note) = (.insufficient, "Low precision: " + needed)
        }
        let (value, interval) = (pair?.value ?? "–", pair?.intervalText)
        self.init(
            label: label, value: value, interval: interval, detail: nil, state: state, stateNote: note,
            explanation: Explanation(
                id: id.rawValue, label: label, value: value, interval: interval, stateNote: note,
                window: window, quantity: pair.map { .difference($0, unit: unit) } ?? .absent,
                origin: source.map(Explanation.Origin.init)))
    }
}
