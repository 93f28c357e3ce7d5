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
