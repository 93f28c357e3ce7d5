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
        folded = names.map(foldedScalars)
    }

    /// The candidate that was probably meant, by the measure of `nearestName`.
    package func nearest(to name: String) -> String? {
        let wanted = WantedName(name)
        var limit = min(3, max(1, wanted.scalars.count / 2))
        var best: Int?
        for (place, candidate) in folded.enumerated()
        where abs(candidate.count - wanted.scalars.count) <= limit {
            let distance = wanted.distance(to: candidate)
            guard distance <= limit else { continue }
            best = place
            if distance == 0 { break }
            limit = distance - 1
        }
        return best.map { names[$0] }
    }
}

private func foldedScalars(_ name: String) -> [Unicode.Scalar] { Array(name.lowercased().unicodeScalars) }

/// A name that many candidates are compared with.
private struct WantedName {
    let scalars: [Unicode.Scalar]
    /// Where in the name a letter is, a bit for each place.
    private var places = [UInt64](repeating: 0, count: 128)
    private var otherPlaces: [Unicode.Scalar: UInt64] = [:]

    init(_ name: String) {
        scalars = foldedScalars(name)
        for (place, scalar) in scalars.enumerated() where place < UInt64.bitWidth {
            if scalar.isASCII {
                places[Int(scalar.value)] |= 1 << place
            } else {
                otherPlaces[scalar, default: 0] |= 1 << place
            }
        }
    }

    private func places(of scalar: Unicode.Scalar) -> UInt64 {
        scalar.isASCII ? places[Int(scalar.value)] : otherPlaces[scalar] ?? 0
    }

    /// The optimal string alignment distance to a candidate.
    func distance(to candidate: [Unicode.Scalar]) -> Int {
        guard !scalars.isEmpty, !candidate.isEmpty else { return max(scalars.count, candidate.count) }
        return scalars.count <= UInt64.bitWidth ? shortDistance(candidate) : longDistance(candidate)
    }

    /// The distance with a column of the table of distances as the bits of a few numbers: H. Hyyrö, "A Bit-Vector Algorithm
    /// for Computing Levenshtein and Damerau Edit Distances", Nordic Journal of Computing 10 (2003) 29–39.
    private func shortDistance(_ candidate: [Unicode.Scalar]) -> Int {
        let last: UInt64 = 1 << (scalars.count - 1)
        var (rises, falls): (UInt64, UInt64) = (.max, 0)
        var (equal, before): (UInt64, UInt64) = (0, 0)
        var distance = scalars.count
        for scalar in candidate {
            let here = places(of: scalar)
            let swaps = ((~equal & here) << 1) & before
            equal = (((here & rises) &+ rises) ^ rises) | here | falls | swaps
            var (up, down) = (falls | ~(equal | rises), equal & rises)
            if up & last != 0 { distance += 1 }
            if down & last != 0 { distance -= 1 }
            (up, down) = (up << 1 | 1, down << 1)
            (rises, falls, before) = (down | ~(equal | up), up & equal, here)
        }
        return distance
    }

    /// The same by the table itself.
    private func longDistance(_ candidate: [Unicode.Scalar]) -> Int {
        var beforePrevious = [Int](repeating: 0, count: candidate.count + 1)
        var previous = Array(0...candidate.count)
        for row in 1...scalars.count {
            var current = [Int](repeating: row, count: candidate.count + 1)
            for column in 1...candidate.count {
                let cost = scalars[row - 1] == candidate[column - 1] ? 0 : 1
                current[column] = min(
                    previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
                let isSwap =
                    row > 1 && column > 1 && scalars[row - 1] == candidate[column - 2]
                    && scalars[row - 2] == candidate[column - 1]
                if isSwap { current[column] = min(current[column], beforePrevious[column - 2] + 1) }
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[candidate.count]
    }
}
