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
        guard known.count >= Self.fewest, let test = MannKendall(known) else { return nil }
        self = test.pValue >= Self.level ? .flat : test.score > 0 ? .rising : .falling
    }
}
