package import AppHealth

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
}
