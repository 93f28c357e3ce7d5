/// What one source counted of the stability of an app, or of one of its releases, on one day.
///
/// A count that the source does not give is nil, never zero.
package struct HealthDay: Hashable, Sendable {
    /// The day, in the source's zone.
    package var date: CivilDate
    /// The label of the release; nil for all releases together.
    package var version: String?
    /// All sessions.
    package var sessions: Int?
    /// Sessions that ended in a crash or an unhandled error.
    package var crashedSessions: Int?
    /// Distinct users of that day.
    package var users: Int?
    /// Distinct users who met a crash that day.
    package var crashedUsers: Int?

    /// Makes a day.
    package init(
        date: CivilDate, version: String? = nil, sessions: Int? = nil, crashedSessions: Int? = nil,
        users: Int? = nil, crashedUsers: Int? = nil
    ) {
        self.date = date
        self.version = version
        self.sessions = sessions
        self.crashedSessions = crashedSessions
        self.users = users
        self.crashedUsers = crashedUsers
    }

    /// Crashed of all sessions; nil when a count is missing, zero sessions, or impossible.
    package var crashedSessionShare: Fraction? {
        guard let sessions, let crashedSessions else { return nil }
        return Fraction(crashedSessions, of: sessions)
    }

    /// Crashed of all users; nil when a count is missing, zero users, or impossible.
    package var crashedUserShare: Fraction? {
        guard let users, let crashedUsers else { return nil }
        return Fraction(crashedUsers, of: users)
    }
}
