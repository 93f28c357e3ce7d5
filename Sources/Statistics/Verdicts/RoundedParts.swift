/// Numbers rounded to so many decimals so that they add up to their rounded sum: the largest-remainder method.
///
/// Every number is rounded down, and those with the largest remainders are raised by one unit of the last
/// decimal until the sum is right; of equal remainders the earlier is raised. No number moves by a whole unit.
/// Numbers that are not finite count as zero; those of 10^12 and more stay as they are.
package func roundedParts(_ values: [Double], decimals: Int) -> [Double] {
    let power = (0..<min(max(decimals, 0), 6)).reduce(1.0) { power, _ in power * 10 }
    let scaled = values.map { $0.isFinite ? $0 * power : 0 }
    guard scaled.allSatisfy({ $0.magnitude < 1e12 }) else { return values }
    let floors = scaled.map { $0.rounded(.down) }
    let wanted = scaled.reduce(0, +).rounded()
    let missing = max(0, Int(wanted - floors.reduce(0, +)))
    let order = scaled.indices.sorted { first, second in
        let (left, right) = (scaled[first] - floors[first], scaled[second] - floors[second])
        return left != right ? left > right : first < second
    }
    let raised = Set(order.prefix(missing))
    return floors.enumerated().map { ($1 + (raised.contains($0) ? 1 : 0)) / power }
}
