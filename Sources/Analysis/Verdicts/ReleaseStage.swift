package import AppHealth
package import Statistics

/// How far a release has been taken up, with the share it rests on.
package struct ReleaseStage: Hashable, Sendable {
    /// The stage after the last day that tells the share.
    package let stage: AdoptionStage
    /// What the share is counted in: users of one day where the source tells them for releases, else sessions.
    package let basis: Basis
    /// The newest share.
    package let share: Fraction
    /// The day of the newest share.
    package let day: CivilDate

    /// The Wilson interval of the newest share.
    package var interval: Interval? { wilsonInterval(successes: share.numerator, of: share.denominator) }
}

extension HistoryIndex {
    /// What the shares of releases are counted in: users when the source tells users of single releases.
    package var adoptionBasis: Basis {
        let tellsUsers =
            releaseHealth.values.contains { $0.users != nil } && health.values.contains { $0.users != nil }
        return tellsUsers ? .users : .sessions
    }

    /// The stages of all releases that have a share on any day.
    ///
    /// A day that tells some release leaves out those that nobody used, so a release without a row has a share
    /// of zero from its first row on; a day that tells none changes nothing.
    package var releaseStages: [String: ReleaseStage] {
        let basis = adoptionBasis
        var byDay: [CivilDate: [String: Int]] = [:]
        for (key, day) in releaseHealth {
            if let count = basis == .users ? day.users : day.sessions {
                byDay[key.date, default: [:]][key.version] = count
            }
        }
        var stages: [String: ReleaseStage] = [:]
        for (date, counts) in byDay.sorted(by: { $0.key < $1.key }) {
            let whole = basis == .users ? health[date]?.users : health[date]?.sessions
            guard let whole else { continue }
            for label in Set(counts.keys).union(stages.keys) {
                guard let share = Fraction(counts[label] ?? 0, of: whole) else { continue }
                let interval = wilsonInterval(successes: share.numerator, of: share.denominator)
                let stage = (stages[label]?.stage ?? .low).next(interval)
                stages[label] = ReleaseStage(stage: stage, basis: basis, share: share, day: date)
            }
        }
        return stages
    }
}
