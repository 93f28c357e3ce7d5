/// The candidate that was probably meant, or nil when none is close.
///
/// Close means an edit distance (insertions, deletions, substitutions, swaps of neighbors) of at most 3
/// and at most half the length of the name (but at least 1), ignoring case.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = min(3, max(1, wanted.count / 2))
    var best: (name: String, distance: Int)?
    for candidate in candidates.sorted() {
        let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars))
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// The optimal string alignment distance of two sequences.
private func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var beforePrevious = [Int](repeating: 0, count: second.count + 1)
    var previous = Array(0...second.count)
    for row in 1...first.count {
        var current = [Int](repeating: 0, count: second.count + 1)
        current[0] = row
        for column in 1...second.count {
            let cost = first[row - 1] == second[column - 1] ? 0 : 1
            current[column] = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
            let swapped =
                row > 1 && column > 1 && first[row - 1] == second[column - 2]
                && first[row - 2] == second[column - 1]
            if swapped { current[column] = min(current[column], beforePrevious[column - 2] + 1) }
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count]
}
