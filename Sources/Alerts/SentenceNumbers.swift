import AppHealth
import Statistics

/// A share in per cent as sentences write it: `2.83%`; never 0 % unless it is zero.
func sharePercent(_ share: Double) -> String {
    share > 0 && share < 0.00005 ? "less than 0.01%" : decimalText(share * 100, decimals: 2) + "%"
}

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
