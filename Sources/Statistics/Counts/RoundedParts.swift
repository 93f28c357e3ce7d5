/// Numbers rounded to so many decimals so that they add up to their rounded sum, or to another total that is near it:
/// the largest-remainder method.
///
/// Every number is rounded down, and those with the largest remainders are raised by one unit of the last
/// decimal until the sum is right; of equal remainders the earlier is raised. Without a total of its own no number
/// moves by a whole unit. Numbers that are not finite count as zero; those of 10^12 and more stay as they are.
package func roundedParts(_ values: [Double], decimals: Int, total: Double? = nil) -> [Double] {
    let power = powerOfTen(decimals)
    let scaled = values.map { $0.isFinite ? $0 * power : 0 }
    guard !values.isEmpty, scaled.allSatisfy({ $0.magnitude < 1e12 }) else { return values }
    let floors = scaled.map { $0.rounded(.down) }
    let wanted = (total.map { $0 * power } ?? scaled.reduce(0, +)).rounded()
    guard wanted.magnitude < 1e15 else { return values }
    let missing = Int(wanted - floors.reduce(0, +))
    let forAll = Int((Double(missing) / Double(values.count)).rounded(.down))
    let order = scaled.indices.sorted { first, second in
        let (left, right) = (scaled[first] - floors[first], scaled[second] - floors[second])
        return left != right ? left > right : first < second
    }
    let raised = Set(order.prefix(missing - forAll * values.count))
    return floors.enumerated().map { ($1 + Double(forAll + (raised.contains($0) ? 1 : 0))) / power }
}

/// A share of counts in percent, rounded to so many decimals: one that is not all stays below 100, and one that is not
/// none above 0, as in texts.
package func roundedPercent(_ part: Int, of whole: Int, decimals: Int) -> Double {
    guard whole > 0, part >= 0, part <= whole else { return 0 }
    let full = UInt128(powerOfTen(decimals)) * 100
    let (quotient, remainder) = (UInt128(part) * full).quotientAndRemainder(dividingBy: UInt128(whole))
    let rounded = quotient + (remainder * 2 >= UInt128(whole) ? 1 : 0)
    let units = part == 0 || part == whole ? rounded : min(max(rounded, 1), full - 1)
    return Double(units) / powerOfTen(decimals)
}

private func powerOfTen(_ decimals: Int) -> Double {
    (0..<min(max(decimals, 0), 6)).reduce(1.0) { power, _ in power * 10 }
}
