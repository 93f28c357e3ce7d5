/// What may stop coming from a source while the others of its figures go on.
package enum DailyFigure: String, Hashable, Codable, Sendable, CaseIterable {
    /// Sessions or users with how many of them crashed: sessions alone are no rate.
    case rates
    /// Active and new users.
    case use

    /// What a source that gives it is able to know.
    package var capabilities: Set<Capability> {
        switch self {
        case .rates: [.sessions, .users, .releaseHealth]
        case .use: [.usage]
        }
    }
}

extension Snapshot {
    /// The days with a figure, in no order.
    package func days(with figure: DailyFigure) -> [CivilDate] {
        switch figure {
        case .rates: health.filter(\.countsCrashed).map(\.date)
        case .use: usage.map(\.date)
        }
    }
}

extension HealthDay {
    /// Whether it is known how many of its sessions or of its users crashed.
    package var countsCrashed: Bool {
        sessions != nil && crashedSessions != nil || users != nil && crashedUsers != nil
    }
}
