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

    /// What two samples lack for a difference that is sure enough.
    package enum Need: Hashable, Codable, Sendable {
        /// About so many more of the later one.
        case later(Int)
        /// About so many more of the earlier one.
        case earlier(Int)
        /// More of both.
        case both
    }

    init(later: Fraction, earlier: Fraction, names: Names) {
        let (own, other) = (later.complement, earlier.complement)
        let pair = ProportionPair(
            later: (own.numerator, own.denominator), earlier: (other.numerator, other.denominator))
        let errors = (later: own.error ?? 0, earlier: other.error ?? 0)
        let interval = pair.flatMap { newcombeInterval(of: $0, errors: errors) }
        self.later = later
        self.earlier = earlier
        self.names = names
        self.difference = pair?.difference
        self.interval = interval
        self.need = isUnsure(interval) ? pair?.need().map(Need.init) : nil
    }

    /// Whether the interval holds no difference at all; false without an interval.
    package var mayBeNone: Bool { isUnsure(interval) }
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
        return pair.flatMap { newcombeInterval(of: $0, errors: errors) }
            .map { Interval(lower: -$0.upper, upper: -$0.lower) }
    }
}
