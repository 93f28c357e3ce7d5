/// The candidate that was probably meant, or nil when none is close.
///
/// Close means an edit distance (insertions, deletions, substitutions, swaps of neighbors) of at most 3
/// and at most half the length of the name (but at least 1), ignoring case.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    NearestNames(candidates).nearest(to: name)
}

/// Candidates that are searched for more than one name.
package struct NearestNames: Sendable {
    private let names: [String]
    private let folded: [[Unicode.Scalar]]

    /// Makes the search ready; the first in the alphabet wins a tie, whatever their order.
    package init(_ candidates: some Sequence<String>) {
        names = candidates.sorted()
        folded = names.map(scalars)
    }

    /// The candidate that was probably meant, by the measure of `nearestName`.
    package func nearest(to name: String) -> String? {
        let wanted = scalars(name)
        var limit = min(3, max(1, wanted.count / 2))
        var best: Int?
        var rows = DistanceRows()
        for (place, candidate) in folded.enumerated() where abs(candidate.count - wanted.count) <= limit {
            guard let distance = rows.distance(wanted, candidate, within: limit) else { continue }
            best = place
            if distance == 0 { break }
            limit = distance - 1
        }
        return best.map { names[$0] }
    }
}

private func scalars(_ name: String) -> [Unicode.Scalar] { Array(name.lowercased().unicodeScalars) }

/// The last three rows of a table of distances; one memory for many candidates.
private struct DistanceRows {
    private var beforePrevious: [Int] = []
    private var previous: [Int] = []
    private var current: [Int] = []

    /// The optimal string alignment distance of two sequences; nil as soon as it is above the limit.
    mutating func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], within limit: Int) -> Int? {
        let above = limit + 1
        reset(to: second.count + 1, above)
        for column in 0...min(limit, second.count) { previous[column] = column }
        var row = 1
        while row <= first.count {
            // Cells further from the diagonal than the limit are above it.
            let (from, through) = (max(1, row - limit), min(second.count, row + limit))
            var least = from == 1 ? min(row, above) : above
            current[from - 1] = least
            var column = from
            while column <= through {
                let isSame = first[row - 1] == second[column - 1]
                var cell = previous[column - 1] + (isSame ? 0 : 1)
                cell = min(cell, min(previous[column], current[column - 1]) + 1)
                let isSwap =
                    row > 1 && column > 1 && first[row - 1] == second[column - 2]
                    && first[row - 2] == second[column - 1]
                if isSwap { cell = min(cell, beforePrevious[column - 2] + 1) }
                current[column] = min(cell, above)
                least = min(least, cell)
                column += 1
            }
            if column <= second.count { current[column] = above }
            if least > limit { return nil }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
            row += 1
        }
        return previous[second.count] <= limit ? previous[second.count] : nil
    }

    private mutating func reset(to count: Int, _ value: Int) {
        Self.fill(&beforePrevious, count, value)
        Self.fill(&previous, count, value)
        Self.fill(&current, count, value)
    }

    private static func fill(_ row: inout [Int], _ count: Int, _ value: Int) {
        row.removeAll(keepingCapacity: true)
        row.append(contentsOf: repeatElement(value, count: count))
    }
}
