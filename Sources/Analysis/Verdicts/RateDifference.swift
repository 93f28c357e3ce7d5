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
    package let need: Need?
    /// By what the counts of samples were multiplied, the larger factor of both; nil where they are no sample.
    package let sampling: Double?

    /// What two samples lack for a difference that is sure enough.
    package enum Need: Hashable, Codable, Sendable {
        /// About so many more of the later one.
        case later(Int)
        /// About so many more of the earlier one.
        case earlier(Int)
        /// More of both.
        case both
    }

    init(later: Fraction, earlier: Fraction, names: Names, sampling: PairSampling = .none) {
        let (own, other) = (later.complement, earlier.complement)
        let pair = ProportionPair(
            later: (own.numerator, own.denominator), earlier: (other.numerator, other.denominator))
        let errors = (later: own.error ?? 0, earlier: other.error ?? 0)
        let interval = pair.flatMap {
            newcombeInterval(of: $0, errors: errors, sampling: sampling.factors)
        }
        self.later = later
        self.earlier = earlier
        self.names = names
        self.difference = pair?.difference
        self.interval = interval
        self.need = isUnsure(interval) ? pair?.need(sampling: sampling.factors).map(Need.init) : nil
        self.sampling = [sampling.later, sampling.earlier].compactMap(\.self).max()
    }

    /// Whether the interval holds no difference at all; false without an interval.
    package var mayBeNone: Bool { isUnsure(interval) }
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
    var factors: (later: Double, earlier: Double) { (later ?? 1, earlier ?? 1) }
}

private func isUnsure(_ interval: Interval?) -> Bool {
    interval.map { $0.lower <= 0 && $0.upper >= 0 } ?? false
}

extension RateDifference.Need {
    fileprivate init(_ need: PairNeed) {
        self =
            switch need {
            case .later(let count): .later(count)
            case .earlier(let count): .earlier(count)
            case .both: .both
            }
    }
}

extension ReleaseComparison {
    /// The 95% Newcombe interval of the crash-free rate of the release minus that of the earlier ones; nil without
    /// counts.
    package var difference: Interval? {
        guard let own = own.share, let earlier = earlier.share else { return nil }
        let pair = ProportionPair(
            later: (own.numerator, own.denominator), earlier: (earlier.numerator, earlier.denominator))
        let errors = (later: own.error ?? 0, earlier: earlier.error ?? 0)
        let sampling = PairSampling(later: self.own.sampling, earlier: self.earlier.sampling).factors
        return pair.flatMap { newcombeInterval(of: $0, errors: errors, sampling: sampling) }
            .map { Interval(lower: -$0.upper, upper: -$0.lower) }
    }
}
