package import AppHealth
package import Statistics

/// The crash-free rate of a later release minus that of an earlier one.
package struct RateDifference: Hashable, Codable, Sendable {
    /// The labels of the two.
    package struct Names: Hashable, Codable, Sendable {
        /// That of the later one.
        package let later: String
        /// That of the earlier one.
        package let earlier: String
    }

    /// The crashed share of the later release.
    package let later: Fraction
    /// The crashed share of the earlier release.
    package let earlier: Fraction
    /// Their labels.
    package let names: Names
    /// The difference, in −1…1; nil when there are too many to add.
    package let difference: Double?
    /// The 95% Newcombe interval of the difference.
    package let interval: Interval?
    /// What is missing for an interval of ±0.5 pp; nil when nothing is, or when the difference is beyond chance as
    /// it is.
    package let need: PairNeed?
    /// By what the counts of samples were multiplied, the larger factor of both; nil where they are no sample.
    package let sampling: Double?

    init(later: Fraction, earlier: Fraction, names: Names, sampling: PairSampling = .none) {
        let shares = SharePair(later: later.complement, earlier: earlier.complement, sampling)
        let interval = shares?.interval
        self.later = later
        self.earlier = earlier
        self.names = names
        self.difference = shares?.pair.difference
        self.interval = interval
        self.need = isUnsure(interval) ? shares?.need : nil
        self.sampling = [sampling.later, sampling.earlier].compactMap(\.self).max()
    }

    /// Whether the interval holds no difference at all; false without an interval.
    package var mayBeNone: Bool { isUnsure(interval) }

    /// Whether the interval is wider than ±0.5 pp, so that nothing says that the difference is small.
    package var isWide: Bool {
        interval.map { ($0.upper - $0.lower) / 2 > wantedHalfWidth } ?? false
    }
}

/// By what the counts of two releases were multiplied.
package struct PairSampling: Hashable, Codable, Sendable {
    /// Those of the later one; nil where they are no sample.
    package let later: Double?
    /// Those of the earlier one.
    package let earlier: Double?

    /// Neither is a sample.
    package static let none = PairSampling(later: nil, earlier: nil)

    /// Both; 1 where they are no sample.
    fileprivate var factors: (later: Double, earlier: Double) { (later ?? 1, earlier ?? 1) }
}

/// A share of a later release and the same share of an earlier one.
struct SharePair {
    let pair: ProportionPair
    private let errors: (later: Double, earlier: Double)
    private let sampling: (later: Double, earlier: Double)

    /// The pair; nil when both are of too many to add.
    init?(later: Fraction, earlier: Fraction, _ sampling: PairSampling) {
        let pair = ProportionPair(
            later: (later.numerator, later.denominator), earlier: (earlier.numerator, earlier.denominator))
        guard let pair else { return nil }
        self.pair = pair
        errors = (later.error ?? 0, earlier.error ?? 0)
        self.sampling = sampling.factors
    }

    /// The shares of some counts that are made from the crashed ones; nil when one of the counts is empty, or both are too
    /// many to add.
    init?(later: DayCount, earlier: DayCount, _ share: (_ crashed: Fraction) -> Fraction) {
        guard let own = later.share, let other = earlier.share else { return nil }
        self.init(
            later: share(own), earlier: share(other),
            PairSampling(later: later.sampling, earlier: earlier.sampling))
    }

    /// The 95% Newcombe interval of the difference.
    var interval: Interval? { newcombeInterval(of: pair, errors: errors, sampling: sampling) }

    /// What is missing for an interval that is narrow enough.
    var need: PairNeed? { pair.need(sampling: sampling) }
}

private func isUnsure(_ interval: Interval?) -> Bool {
    interval.map { $0.lower <= 0 && $0.upper >= 0 } ?? false
}

extension ReleaseComparison {
    /// The 95% Newcombe interval of the crash-free rate of the release minus that of the earlier ones; nil without
    /// counts.
    package var difference: Interval? {
        SharePair(later: own, earlier: earlier) { $0 }?.interval
            .map { Interval(lower: -$0.upper, upper: -$0.lower) }
    }
}
