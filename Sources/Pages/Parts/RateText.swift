import AppHealth
import Statistics

/// A crash-free rate as text: the rate and its 95 % Wilson interval with the same decimals.
struct RateText {
    /// `99.12 %`.
    let rate: String
    /// `98.98–99.24`.
    let interval: String
    /// How the rates of this place are written.
    let style: PercentText

    /// The crash-free rate of a crashed share.
    init(_ crashed: Fraction) {
        let free = crashed.complement
        let bounds = wilsonInterval(successes: free.numerator, of: free.denominator)
        style = PercentText(interval: bounds)
        rate = style.text(free.numerator, of: free.denominator)
        interval = bounds.map(style.intervalText) ?? "–"
    }
}

/// A share as text with decimals borne out by its interval: `2.83 %`.
func shareText(_ share: Fraction) -> String {
    PercentText(interval: wilsonInterval(successes: share.numerator, of: share.denominator))
        .text(share.numerator, of: share.denominator)
}

/// A level that a person set, with no more decimals than it has: `99.5 %`.
func levelText(_ level: Double) -> String {
    let places = (0...4).first { abs((level * 100) - rounded(level * 100, $0)) < 1e-9 } ?? 4
    return decimalText(level * 100, decimals: places) + "\u{A0}%"
}

private func rounded(_ value: Double, _ places: Int) -> Double {
    let factor = [1.0, 10, 100, 1000, 10_000][places]
    return (value * factor).rounded() / factor
}

/// A count, or a dash when it is not known.
func countOrDash(_ count: Int?) -> String { count.map(countText) ?? "–" }
