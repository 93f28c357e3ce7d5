package import AppHealth
import Statistics

/// What a stability rate is counted in.
package enum Basis: String, Sendable, CaseIterable {
    /// Distinct users of one day; never added up over days.
    case users
    /// Runs of the app.
    case sessions

    /// The share that met a crash, on this basis.
    package func crashedShare(of day: HealthDay) -> Fraction? {
        switch self {
        case .users: day.crashedUserShare
        case .sessions: day.crashedSessionShare
        }
    }

    /// All and crashed of a day on this basis; zero where nobody used the app, nil when a count is missing or
    /// impossible.
    func count(of day: HealthDay) -> DayCount? {
        switch self {
        case .users: dayCount(day.users, day.crashedUsers)
        case .sessions: dayCount(day.sessions, day.crashedSessions)
        }
    }

    /// The other one.
    var other: Basis { self == .users ? .sessions : .users }
}

private func dayCount(_ total: Int?, _ crashed: Int?) -> DayCount? {
    guard let total, let crashed else { return nil }
    return DayCount(total: total, crashed: crashed)
}
