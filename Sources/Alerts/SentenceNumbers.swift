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

/// What may be lost when two shares are subtracted, in percentage points: a change that is exactly at a
/// threshold counts as reaching it.
let lostInSubtraction = 1e-9

/// A crash-free rate as sentences write it: `86.72%`; 100 % only when nothing crashed.
func ratePercent(ofBad crashed: Fraction) -> String {
    let percent = crashed.complement.value * 100
    let shown = crashed.numerator > 0 ? min(percent, 99.99) : percent
    return decimalText(shown, decimals: 2) + "%"
}

/// A constant as the methods page writes it: `0.5`, `1`.
func plainDecimal(_ value: Double) -> String {
    value == value.rounded() ? decimalText(value, decimals: 0) : decimalText(value, decimals: 1)
}
