/// A count with a comma between thousands: `51,234`.
package func countText(_ count: Int) -> String {
    let digits = Array("\(count.magnitude)")
    var text = count < 0 ? "−" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return text
}

/// An estimate of a count, rounded up to two digits as it deserves: 1,910,126 becomes `2,000,000`.
package func estimateText(_ count: Int) -> String {
    var unit = 1
    while count / unit >= 100 { unit *= 10 }
    let (steps, rest) = count.quotientAndRemainder(dividingBy: unit)
    let (rounded, overflow) = (steps + (rest > 0 ? 1 : 0)).multipliedReportingOverflow(by: unit)
    return countText(overflow ? count : rounded)
}

/// A count in at most about four digits and a letter, for axes and tiles: `950`, `51.2k`, `3M`, `1.5B`,
/// `1,000T`.
package func compactCountText(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e18 else { return decimalText(value, decimals: 0) }
    let steps: [(limit: Double, unit: Double, letter: String)] = [
        (999.95e9, 1e12, "T"), (999.95e6, 1e9, "B"), (999_950, 1e6, "M"), (9999.5, 1e3, "k"),
    ]
    guard let step = steps.first(where: { value.magnitude >= $0.limit }) else {
        return value == value.rounded() ? countText(Int(value)) : decimalText(value, decimals: 1)
    }
    let scaled = value / step.unit
    if scaled.magnitude >= 999.95 { return countText(Int(scaled.rounded())) + step.letter }
    let text = decimalText(scaled, decimals: 1)
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + step.letter
}
