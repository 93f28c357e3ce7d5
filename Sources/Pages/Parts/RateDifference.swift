import Analysis
package import AppHealth
import Formatting
import Statistics

/// The crash-free rate of a later release minus that of an earlier one.
package struct RateDifference: Hashable, Sendable {
    /// The labels of the two.
    package struct Names: Hashable, Sendable {
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

    /// The crash-free shares; nil when there are too many to add.
    var pair: ProportionPair? {
        let (later, earlier) = (later.complement, earlier.complement)
        return ProportionPair(
            later: (later.numerator, later.denominator), earlier: (earlier.numerator, earlier.denominator))
    }

    /// The 95% Newcombe interval of the difference.
    var interval: Interval? { pair.flatMap { newcombeInterval(of: $0) } }

    /// The difference in percentage points with its sign, `−3.83 pp`, with decimals that its interval bears out.
    var value: String {
        pair.map { PercentFormat(interval: interval).changeText($0.difference) } ?? "–"
    }

    /// Its interval in percentage points, `−4.24 to −3.44`.
    var intervalText: String? { interval.map { PercentFormat(interval: $0).changeBounds($0) } }

    /// Whether the interval holds no difference at all; false without an interval.
    var mayBeNone: Bool { interval.map { $0.lower <= 0 && $0.upper >= 0 } ?? false }

    /// What is missing for an interval of ±0.5 pp; nil when nothing is, or when the difference is beyond chance as
    /// it is.
    ///
    /// `about 1,200 more sessions of 4.3.0 needed for ±0.5 pp`.
    func needText(_ unit: String, hidesCounts: Bool) -> String? {
        guard mayBeNone, let need = pair?.need() else { return nil }
        let wanted = "needed for \(PercentFormat.precisionText())"
        func text(_ count: Int, _ name: String) -> String {
            hidesCounts
                ? "more \(unit) of \(name) \(wanted)"
                : "about \(estimateText(count)) more \(unit) of \(name) \(wanted)"
        }
        return switch need {
        case .later(let count): text(count, names.later)
        case .earlier(let count): text(count, names.earlier)
        case .both: "more \(unit) of both \(wanted)"
        }
    }
}

extension Measured where Value == Fraction {
    /// The crashed shares of a later and an earlier release together; the worse state of the two is that of both.
    func minus(_ earlier: Measured<Fraction>, _ names: RateDifference.Names) -> Measured<RateDifference> {
        guard let own = value else { return map(orAbsent: .noSessions) { _ in nil } }
        guard let other = earlier.value else { return earlier.map(orAbsent: .noSessions) { _ in nil } }
        let worse = if case .stale = earlier { earlier } else { self }
        return worse.map(orAbsent: .noSessions) { _ in
            RateDifference(later: own, earlier: other, names: names)
        }
    }
}
