package import AppHealth
import Statistics

/// The crash-free rate fell from one day to the next.
package struct StabilityAlert: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: Occasion
    /// What the rate is counted in.
    package let basis: Basis
    /// The crashed share of the day before.
    package let before: Fraction
    /// The crashed share of the day.
    package let after: Fraction

    /// How far the crash-free rate fell, in 0…1 of the whole (0.01 is one percentage point).
    package var drop: Double { after.value - before.value }

    /// How far it fell relative to the rate of the day before, in 0…1.
    package var relativeDrop: Double {
        let base = before.complement.value
        return base > 0 ? drop / base : 0
    }

    /// `Crash free users dropped by 6.5% in the past 24 hours. At 86.72%, it is significantly below where it
    /// was this time yesterday.` The first figure is relative to the day before.
    package var sentence: String {
        "Crash free \(basis.rawValue) dropped by \(sharePercent(relativeDrop)) in the past 24 hours. "
            + "At \(ratePercent(ofBad: after)), it is significantly below where it was this time yesterday."
    }
}

/// Finds a fall of the crash-free rate against the day before.
package struct StabilityDrop: Rule {
    package static let id = "stability"
    package static let kind = EventKind.stability
    /// The least fall, in percentage points.
    package var points: Double
    /// The least number of users (or sessions) on each of the two days.
    package var minimumSample: Int

    /// The standard thresholds, or others.
    package init(points: Double = 0.5, minimumSample: Int = 100) {
        self.points = points
        self.minimumSample = minimumSample
    }

    package var statement: String {
        "The crash-free rate fell by at least \(plainDecimal(points)) percentage points against the day before, "
            + "both days had at least \(minimumSample) users (sessions where users are not known), and the 95 % "
            + "Wilson intervals of the two days do not overlap."
    }

    package func events(in evidence: Evidence) -> [Event] {
        drops(in: evidence).map(Event.stability)
    }

    /// The alerts in the order of their days.
    func drops(in evidence: Evidence) -> [StabilityAlert] {
        evidence.days.compactMap { day in
            guard let after = evidence.crashedShare(on: day),
                let before = evidence.crashedShare(on: day.advanced(by: -1)), isDrop(from: before, to: after)
            else { return nil }
            let occasion = Occasion(rule: Self.id, app: evidence.app, day: day, at: evidence.end(of: day))
            return StabilityAlert(occasion: occasion, basis: evidence.basis, before: before, after: after)
        }
    }

    private func isDrop(from before: Fraction, to after: Fraction) -> Bool {
        guard min(before.denominator, after.denominator) >= minimumSample,
            (after.value - before.value) * 100 >= points - lostInSubtraction,
            let earlier = wilsonInterval(successes: before.numerator, of: before.denominator),
            let later = wilsonInterval(successes: after.numerator, of: after.denominator)
        else { return false }
        return later.lower > earlier.upper
    }
}
