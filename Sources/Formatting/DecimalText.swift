/// The decimal digits of a number, rounded half away from zero from its exact binary value.
///
/// Written without a formatter, so that the locale of a machine never changes a page. Negative numbers carry
/// a minus sign (U+2212), zero never does. `decimals` is held within 0…9. Numbers of 10^18 and more are
/// written with a power of ten; a value that is no number is a dash.
package func decimalText(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "–" }
    let decimals = min(max(decimals, 0), 9)
    guard let digits = scaledMagnitude(value, decimals: decimals) else { return "\(value)" }
    return (value < 0 && digits > 0 ? "−" : "") + fixedPoint(digits, decimals: decimals)
}

/// The decimal digits of a number with at most so many decimals, without zeros at the end: `99.5`, `5`.
package func trimmedDecimalText(_ value: Double, decimals: Int) -> String {
    let text = decimalText(value, decimals: decimals)
    guard text.contains(".") else { return text }
    var digits = text[...]
    while digits.last == "0" { digits = digits.dropLast() }
    return String(digits.last == "." ? digits.dropLast() : digits)
}

/// The magnitude times a power of ten, rounded half up; nil from 10^18 on.
///
/// The fraction is a multiple of 2^-90 unless it lies far below every half step, so the product is exact.
func scaledMagnitude(_ value: Double, decimals: Int) -> UInt128? {
    let magnitude = value.magnitude
    guard magnitude < 1e18 else { return nil }
    let whole = magnitude.rounded(.down)
    let power = powerOfTen(decimals)
    let fraction = UInt128((magnitude - whole) * 0x1p90) * power
    let half: UInt128 = 1 << 89
    return UInt128(whole) * power + ((fraction + half) >> 90)
}

/// A number of units of 10^-decimals as text: 9912 with two decimals is `99.12`.
func fixedPoint(_ units: UInt128, decimals: Int) -> String {
    guard decimals > 0 else { return "\(units)" }
    let power = powerOfTen(decimals)
    let fraction = "\(units % power)"
    return "\(units / power)." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

/// 10^exponent for exponents 0…15.
func powerOfTen(_ exponent: Int) -> UInt128 {
    (0..<min(max(exponent, 0), 15)).reduce(1) { power, _ in power * 10 }
}
