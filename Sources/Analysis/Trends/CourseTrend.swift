package import AppHealth
import Statistics

/// Which way the newest values of a series go, by a test that noise seldom deceives.
package enum CourseTrend: Hashable, Codable, Sendable {
    case rising, falling
    /// Neither is significant.
    case flat

    /// How many days are checked, the newest ones.
    package static let span = 28
    /// The fewest of them that must have a value.
    package static let fewest = 8
    /// The p-value of the Mann–Kendall test below which the values rise or fall.
    package static let level = 0.01

    /// The trend of values in their order, nil for a gap; nil when too few are known.
    package init?(_ values: [Double?]) {
        let known = values.suffix(Self.span).compactMap(\.self)
        guard known.count >= Self.fewest else { return nil }
        self.init(ofKnown: known)
    }

    /// The trend of the shares of those that did not crash; nil for a gap, and when too few days are known.
    ///
    /// A day with few sessions seldom has a crash, and would be among the best by its size alone. So days are put together
    /// until a crash is to be expected of each part, and the parts have an order that does not depend on their size.
    ///
    /// - Parameter crashed: the crashed share of each day.
    package init?(crashed: [Fraction?]) {
        let known = crashed.suffix(Self.span).compactMap(\.self)
        guard known.count >= Self.fewest else { return nil }
        let parts = CrashedParts(known)
        self.init(ofKnown: parts.deviates.count < Self.fewest ? [] : parts.deviates.map { -$0 })
    }

    private init(ofKnown values: [Double]) {
        guard let test = MannKendall(values), test.pValue < Self.level else {
            self = .flat
            return
        }
        self = test.score > 0 ? .rising : .falling
    }
}

/// Days in their order, put together to parts of each of which one crash or more is to be expected.
private struct CrashedParts {
    private var parts: [(crashed: Double, expected: Double)] = []

    init(_ days: [Fraction]) {
        let crashed = days.reduce(0.0) { $0 + Double($1.numerator) }
        let rate = crashed / days.reduce(0.0) { $0 + Double($1.denominator) }
        guard rate > 0 else { return }
        var part = (crashed: 0.0, expected: 0.0)
        for day in days {
            part.crashed += Double(day.numerator)
            part.expected += rate * Double(day.denominator)
            guard part.expected >= 1 else { continue }
            parts.append(part)
            part = (0, 0)
        }
        guard let last = parts.indices.last else { return }
        parts[last].crashed += part.crashed
        parts[last].expected += part.expected
    }

    /// By how much each differs from what is to be expected of it, in units of chance: with one variance whatever is
    /// expected (M. F. Freeman and J. W. Tukey, Annals of Mathematical Statistics 21 (1950) 607–611).
    var deviates: [Double] {
        parts.map {
            $0.crashed.squareRoot() + ($0.crashed + 1).squareRoot() - (4 * $0.expected + 1).squareRoot()
        }
    }
}
