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
