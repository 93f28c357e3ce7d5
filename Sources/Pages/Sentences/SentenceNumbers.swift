import Formatting
import Statistics

/// A constant as the methods page writes it: `0.5`, `1`.
func plainDecimal(_ value: Double, _ decimals: Int = 1) -> String {
    value == value.rounded() ? decimalText(value, decimals: 0) : decimalText(value, decimals: decimals)
}

/// `1, 3 or 7`.
func choice(_ numbers: [Int]) -> String {
    let texts = numbers.map { "\($0)" }
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " or " + last
}

/// An estimate of a count as a count.
package func roundedCount(_ estimate: Double) -> Int {
    estimate.isFinite ? Int(min(max(estimate.rounded(), 0), 1e15)) : 0
}
