package import AppHealth
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
