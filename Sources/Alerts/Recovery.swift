package import AppHealth

/// The crash-free rate is back where it was before an alert.
package struct Recovery: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: Occasion
    /// What the rate is counted in.
    package let basis: Basis
    /// The crashed share of the day.
    package let share: Fraction
    /// The day of the first alert that this closes.
    package let alertDay: CivilDate
    /// How many days the rate was down.
    package var days: Int { alertDay.days(to: occasion.day) }

    /// `Crash free users recovered to 99.38% after 9 days.`
    package var sentence: String {
        "Crash free \(basis.rawValue) recovered to \(ratePercent(ofBad: share)) after "
            + "\(days) \(days == 1 ? "day" : "days")."
    }
}

/// Finds the end of each fall that the stability rule found.
package struct StabilityRecovery: Rule {
    package static let id = "recovery"
    package static let kind = EventKind.recovery
    /// How near to the rate before the fall counts as back, in percentage points.
    package var points: Double
    /// The rule whose alerts are closed.
    package var drop: StabilityDrop

    /// The standard threshold, or another.
    package init(points: Double = 0.2, drop: StabilityDrop = StabilityDrop()) {
        self.points = points
        self.drop = drop
    }

    package var statement: String {
        "After a Stability Alert, the first day on which the crash-free rate is again within "
            + "\(plainDecimal(points)) percentage points of the rate before the first fall."
    }

    package func events(in evidence: Evidence) -> [Event] {
        var remaining = drop.drops(in: evidence)[...]
        var found: [Event] = []
        while let first = remaining.first {
            guard let recovery = recovery(from: first, in: evidence) else { break }
            found.append(.recovery(recovery))
            remaining = remaining.drop { $0.occasion.day <= recovery.occasion.day }
        }
        return found
    }

    private func recovery(from alert: StabilityAlert, in evidence: Evidence) -> Recovery? {
        for day in evidence.days where day > alert.occasion.day {
            guard let share = evidence.crashedShare(on: day), share.denominator >= drop.minimumSample,
                (share.value - alert.before.value) * 100 <= points + lostInSubtraction
            else { continue }
            let occasion = Occasion(rule: Self.id, app: evidence.app, day: day, at: evidence.end(of: day))
            return Recovery(
                occasion: occasion, basis: alert.basis, share: share, alertDay: alert.occasion.day)
        }
        return nil
    }
}
