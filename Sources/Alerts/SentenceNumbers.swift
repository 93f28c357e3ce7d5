import AppHealth
import Statistics

/// A share in per cent as sentences write it: `2.83%`, `6.5%`; 0 % only when it is zero, 100 % only when it is
/// all.
func sharePercent(_ share: Double) -> String {
    if share > 0, share < 0.00005 { return "less than 0.01%" }
    let percent = share < 1 ? min(share * 100, 99.99) : share * 100
    var digits = decimalText(percent, decimals: 2)[...]
    while digits.last == "0" { digits = digits.dropLast() }
    return (digits.last == "." ? digits.dropLast() : digits) + "%"
}

/// A crash-free rate as sentences write it: `86.72%`; 100 % only when nothing crashed.
func ratePercent(ofBad crashed: Fraction) -> String {
    ratePercent(of: crashed.numerator, of: crashed.denominator)
}

/// A crash-free rate from how many crashed of how many, as sentences write it.
func ratePercent(of crashed: Int, of total: Int) -> String {
    let percent = (1 - Double(crashed) / Double(total)) * 100
    let shown = crashed > 0 ? min(percent, 99.99) : percent
    return decimalText(shown, decimals: 2) + "%"
}

/// A crash-free rate from an estimate of the crashed share, as sentences write it; never 100 %.
func ratePercent(ofBadShare share: Double) -> String {
    decimalText(min(max((1 - share) * 100, 0), 99.99), decimals: 2) + "%"
}

/// A constant as the methods page writes it: `0.5`, `1`.
func plainDecimal(_ value: Double, _ decimals: Int = 1) -> String {
    value == value.rounded() ? decimalText(value, decimals: 0) : decimalText(value, decimals: decimals)
}

/// An estimate of a count as a count.
package func roundedCount(_ estimate: Double) -> Int {
    estimate.isFinite ? Int(min(max(estimate.rounded(), 0), 1e15)) : 0
}

/// What may be lost when two shares are subtracted, in percentage points: a change that is exactly at a
/// threshold counts as reaching it.
let lostInSubtraction = 1e-9
