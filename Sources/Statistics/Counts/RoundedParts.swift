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

/// The fewest counts that together reach a share of a total, and how much of it they reach.
package struct CoveringSet: Hashable, Sendable {
    /// The places of the chosen counts, the largest count first.
    package let chosen: [Int]
    /// Their sum.
    package let sum: Int
    /// Whether they reach the share; when not, all counts above zero are chosen.
    package let isReached: Bool

    /// Chooses the largest counts until they reach the share (0…1) of the total.
    ///
    /// Each thing counted belongs to one count only, so the sum is exact, and no other choice of as many counts
    /// has a larger one: the greedy choice is the smallest. Of equal counts the earlier is chosen. Nil unless
    /// the total is above zero, no count is negative and the share lies in 0…1.
    package init?(of counts: [Int], total: Int, share: Double) {
        guard total > 0, counts.allSatisfy({ $0 >= 0 }), share >= 0, share <= 1 else { return nil }
        let order = counts.indices.sorted { first, second in
            counts[first] != counts[second] ? counts[first] > counts[second] : first < second
        }
        var chosen: [Int] = []
        var sum = 0
        for place in order where counts[place] > 0 {
            // A product that misses a whole number by the last bit of a Double is that number.
            if Double(sum) >= share * Double(total) * (1 - 1e-12) { break }
            let (next, overflow) = sum.addingReportingOverflow(counts[place])
            guard !overflow else { return nil }
            chosen.append(place)
            sum = next
        }
        self.chosen = chosen
        self.sum = sum
        self.isReached = Double(sum) >= share * Double(total) * (1 - 1e-12)
    }
}

/// How many distinct users several groups may hold when only the size of each is known.
///
/// A user may be in several groups: the union has at least as many as the largest and at most as many as all
/// added up, or as there are at all. Nil when there is no group, a size is negative, or one exceeds `all`.
package func unionBounds(of sizes: [Int], all: Int) -> ClosedRange<Int>? {
    guard let largest = sizes.max(), sizes.allSatisfy({ $0 >= 0 }), largest <= all else { return nil }
    var sum = 0
    for size in sizes { sum = min(all, sum.addingReportingOverflow(size).overflow ? all : sum + size) }
    return largest...max(largest, sum)
}
