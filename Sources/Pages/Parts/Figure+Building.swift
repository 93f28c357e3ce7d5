import Alerts
import AppHealth
import Diagnostics
import Statistics

extension Figure {
    /// A crash-free rate from the reading of a crashed share; `whole` names what it is a share of.
    init(
        _ label: String, crashed reading: Reading<Fraction>, of whole: String, for audience: Audience = .team
    ) {
        self.init(label, reading) { crashed in
            let text = RateText(crashed)
            return (text.rate, text.interval, wholeText(crashed, whole, audience))
        }
    }

    /// A count.
    init(_ label: String, count reading: Reading<Int>, detail: String? = nil) {
        self.init(label, reading) { (countText($0), nil, detail) }
    }

    /// A share, such as an adoption.
    init(
        _ label: String, share reading: Reading<Fraction>, of whole: String, for audience: Audience = .team
    ) {
        self.init(label, reading) { share in
            let bounds = wilsonInterval(successes: share.numerator, of: share.denominator)
            let style = PercentText(interval: bounds)
            return (
                style.text(share.numerator, of: share.denominator), bounds.map(style.intervalText),
                wholeText(share, whole, audience)
            )
        }
    }

    private init<Value: Sendable>(
        _ label: String, _ reading: Reading<Value>, _ text: (Value) -> (String, String?, String?)
    ) {
        self.label = label
        (value, interval, detail) = reading.value.map(text) ?? ("–", nil, nil)
        switch reading {
        case .loaded: (state, stateNote) = (.loaded, nil)
        case .stale(_, let asOf, _):
            (state, stateNote) = (.stale, "stale: as of \(asOf.date.compactText) \(asOf.timeText) UTC")
        case .failed(let why): (state, stateNote) = (.failed, "failed: \(printable(why.summary))")
        case .unavailable(let why): (state, stateNote) = (.unavailable, "not available: \(why)")
        case .insufficient(_, _, let needed):
            (state, stateNote) = (.insufficient, "about \(countText(needed)) more needed")
        }
    }
}

/// `of 24,118 users`, or `of users` for whom counts are hidden.
private func wholeText(_ share: Fraction, _ whole: String, _ audience: Audience) -> String {
    audience.hidesCounts ? "of \(whole)" : "of \(countText(share.denominator)) \(whole)"
}
