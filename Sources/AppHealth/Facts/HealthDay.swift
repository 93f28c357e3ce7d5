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

/// What one source counted of the stability of an app, all releases together, in one hour.
package struct HealthHour: Hashable, Sendable {
    /// The hour.
    package var hour: UTCHour
    /// All sessions; nil when the source does not tell.
    package var sessions: Int?
    /// Sessions that ended in a crash; nil when the source does not tell.
    package var crashedSessions: Int?

    /// Makes an hour.
    package init(hour: UTCHour, sessions: Int?, crashedSessions: Int? = nil) {
        self.hour = hour
        self.sessions = sessions
        self.crashedSessions = crashedSessions
    }
}

/// What one source counted of one issue, all releases together, in one hour.
package struct IssueHour: Hashable, Sendable {
    /// The source's id of the issue.
    package var issue: String
    /// The hour.
    package var hour: UTCHour
    /// Events of the hour; nil when the source does not tell.
    package var events: Int?
    /// Distinct users of the hour; nil when the source does not tell.
    package var users: Int?

    /// Makes an hour.
    package init(issue: String, hour: UTCHour, events: Int?, users: Int? = nil) {
        self.issue = issue
        self.hour = hour
        self.events = events
        self.users = users
    }

    /// Whether nothing was counted.
    package var isEmpty: Bool { (events ?? 0) == 0 && (users ?? 0) == 0 }
}

/// How long hours are kept: they serve to see a fast rise, and days tell the rest.
package enum HourKeeping {
    /// The number of hours, 30 days.
    package static let hours = 720

    /// The first hour that is kept at an instant.
    package static func first(at now: Instant) -> UTCHour {
        UTCHour(of: now).advanced(by: -hours)
    }
}
