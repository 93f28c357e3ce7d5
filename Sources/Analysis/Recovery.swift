package import AppHealth
import Formatting
import Statistics

/// The crash-free rate is back where it was before a fall.
package struct Recovery: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// What the rate is counted in.
    package let basis: Basis
    /// The crashed share of the day.
    package let share: Fraction
    /// The crashed share that was to be expected before the fall, in 0…1.
    package let expected: Double
    /// The first night of the fall that this closes.
    package let alertDay: CivilDate
    /// How many days the rate was down.
    package var days: Int { alertDay.days(to: occasion.day) }

    /// `Crash free users recovered to 99.38% after 9 days.`
    package var sentence: String {
        "Crash free \(basis.rawValue) recovered to \(PercentFormat.sentence(crashed: share.numerator, of: share.denominator, unit: basis.rawValue)) after "
            + "\(days) \(days == 1 ? "day" : "days")."
    }
}

/// Finds the end of each fall that the stability rule found.
package struct RecoveryRule: Rule {
    package static let id = "recovery"
    package static let kind = EventKind.recovery
    /// The rule whose alerts are closed.
    package var drop: StabilityRule

    /// The standard rule, or another.
    package init(drop: StabilityRule = StabilityRule()) {
        self.drop = drop
    }

    package var statement: String {
        "After a Stability Alert, the first day from which on the crash-free rate is no worse than on "
            + "\(plainDecimal(drop.usualPart * 100))% of the \(CrashRateDropDetector.baselineDays) days before the fall, or differs from what was "
            + "expected by no more than chance (\(standardConfidenceText) Wilson interval) and half of the fall, and on which it stays "
            + "so for \(drop.quietDays) days as far as they are known. A day needs a tenth of the "
            + "\(Basis.users.rawValue) of the first night."
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        drop.episodes(in: evidence, basis: evidence.basis).compactMap { episode in
            guard case .recovered(let day, let share) = episode.state else { return nil }
            let occasion = EventIdentity(
                rule: Self.id, app: evidence.app, day: day, at: evidence.end(of: day))
            return .recovery(
                Recovery(
                    occasion: occasion, basis: episode.basis, share: share,
                    expected: episode.finding.expected, alertDay: episode.first))
        }
    }
}
