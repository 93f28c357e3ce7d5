package import AppHealth
import Statistics

/// What a stability rate is counted in.
package enum Basis: String, Codable, Sendable, CaseIterable {
    /// Distinct users of one day; never added up over days.
    case users
    /// Runs of the app.
    case sessions

    /// The crashed share, on this basis.
    package func crashedShare(of day: HealthDay) -> Fraction? {
        switch self {
        case .users: day.crashedUserShare
        case .sessions: day.crashedSessionShare
        }
    }

    /// All and crashed of a day on this basis; zero where the app had no users, nil when a count is missing, or more
    /// crashed than there were.
    func count(of day: HealthDay) -> DayCount? {
        switch self {
        case .users: dayCount(day.users, day.crashedUsers, day.userDeviation)
        case .sessions: dayCount(day.sessions, day.crashedSessions, day.sessionDeviation)
        }
    }

    /// Whether all and crashed of a day are known, also where both are 0.
    func isRated(_ day: HealthDay) -> Bool {
        switch self {
        case .users: day.users != nil && day.crashedUsers != nil
        case .sessions: day.sessions != nil && day.crashedSessions != nil
        }
    }

    /// All of a day, on this basis.
    package func total(of day: HealthDay) -> Int? { self == .users ? day.users : day.sessions }

    /// The relative standard error of all of a day; nil when it is exact.
    func deviation(of day: HealthDay) -> Double? {
        self == .users ? day.userDeviation : day.sessionDeviation
    }

    /// What a source must be able to know for it.
    var capability: Capability { self == .users ? .users : .sessions }

    /// The other one.
    var other: Basis { self == .users ? .sessions : .users }
}

private func dayCount(_ total: Int?, _ crashed: Int?, _ deviation: Double?) -> DayCount? {
    guard let total, let crashed else { return nil }
    return DayCount(total: total, crashed: crashed, deviation: deviation)
}
