/// What was counted of the stability of an app, or of one of its releases, on one day: by one source, or sessions by one
/// and users by another.
///
/// A count that is not given is nil, never zero.
package struct HealthDay: Hashable, Codable, Sendable {
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
    /// Distinct affected users of that day.
    package var crashedUsers: Int?
    /// Crash events of that day, all issues together; one user may have several.
    package var crashes: Int?
    /// The relative standard error of `sessions` where they are counted approximately; nil where they are exact. What
    /// crashed is counted exactly. The coverage of the day states it.
    package var sessionDeviation: Double?
    /// That of `users`.
    package var userDeviation: Double?
    /// Both in one: those of one source are the same.
    package var deviation: Double? {
        get { [sessionDeviation, userDeviation].compactMap(\.self).max() }
        set { (sessionDeviation, userDeviation) = (newValue, newValue) }
    }
    /// The share of the sessions that name a user, below 1: there may be more users, and where it is 0 they are unknown.
    /// Nil where all name one, or the source does not say.
    package var namedShare: Double?

    /// Makes a day.
    package init(
        date: CivilDate, version: String? = nil, sessions: Int? = nil, crashedSessions: Int? = nil,
        users: Int? = nil, crashedUsers: Int? = nil, crashes: Int? = nil
    ) {
        self.date = date
        self.version = version
        self.sessions = sessions
        self.crashedSessions = crashedSessions
        self.users = users
        self.crashedUsers = crashedUsers
        self.crashes = crashes
    }

    /// Crashed of all sessions; nil when a count is missing, zero sessions, or impossible.
    package var crashedSessionShare: Fraction? {
        guard let sessions, let crashedSessions else { return nil }
        return Fraction(crashedSessions, of: sessions, deviation: sessionDeviation)
    }

    /// Crashed of all users; nil when a count is missing, zero users, or impossible.
    package var crashedUserShare: Fraction? {
        guard let users, let crashedUsers else { return nil }
        return Fraction(crashedUsers, of: users, deviation: userDeviation)
    }
}

extension Sequence<HealthDay> {
    /// The share of the sessions of all days that name a user; nil when all do, or the source does not say. Sessions may
    /// be added up over days.
    package var namedShare: Double? {
        let known = filter { ($0.sessions ?? 0) > 0 }
        let all = known.reduce(0) { $0 + Double($1.sessions ?? 0) }
        let named = known.reduce(0) { $0 + Double($1.sessions ?? 0) * ($1.namedShare ?? 1) }
        return named < all ? named / all : nil
    }
}

/// What one source counted of the stability of an app, all releases together, in one hour.
package struct HealthHour: Hashable, Codable, Sendable {
    /// The hour.
    package var hour: UTCHour
    /// All sessions; nil when the source does not report.
    package var sessions: Int?
    /// Sessions that ended in a crash; nil when the source does not report.
    package var crashedSessions: Int?

    /// Makes an hour.
    package init(hour: UTCHour, sessions: Int?, crashedSessions: Int? = nil) {
        self.hour = hour
        self.sessions = sessions
        self.crashedSessions = crashedSessions
    }
}

/// What one source counted of one issue, all releases together, in one hour.
package struct IssueHour: Hashable, Codable, Sendable {
    /// The source's id of the issue.
    package var issue: String
    /// The hour.
    package var hour: UTCHour
    /// Events of the hour; nil when the source does not report.
    package var events: Int?
    /// Distinct users of the hour; nil when the source does not report.
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

/// How long hours are kept: they serve to see a fast rise, and days report the rest.
package enum HourKeeping {
    /// The number of hours, 30 days.
    package static let hours = 720

    /// The first hour that every source keeps at an instant.
    package static func first(at now: Instant) -> UTCHour {
        UTCHour(of: now).advanced(by: -hours)
    }

    /// The first hour that a source keeps at an instant, counted back from its newest one with data; nil when it keeps all.
    ///
    /// A clock that is ahead makes nothing old. Hours in which nothing was counted prove no time: a service that is asked
    /// about the future reports zeros.
    package static func first(at now: Instant, newest: UTCHour?) -> UTCHour? {
        newest.map { min($0, UTCHour(of: now)).advanced(by: -hours) }
    }
}

/// A rate kept as what it was counted from: so many of so many.
///
/// Rates are kept as numerator and denominator and divided at the last moment.
package struct Fraction: Hashable, Codable, Sendable {
    /// How many had the property; 0…denominator.
    package let numerator: Int
    /// How many there were in all; more than zero.
    package let denominator: Int
    /// The standard error of the rate that comes of counting the whole approximately; nil when that is exact.
    package let error: Double?

    /// The fraction, or nil when there is no such rate: nothing was counted, or the part exceeds the whole.
    ///
    /// - Parameter deviation: The relative standard error of the whole; nil when it is exact.
    package init?(_ numerator: Int, of denominator: Int, deviation: Double? = nil) {
        guard denominator > 0, numerator >= 0, numerator <= denominator else { return nil }
        let share = Double(numerator) / Double(denominator)
        self.init(trusted: numerator, denominator, deviation.map { share * $0 })
    }

    /// The same rate with an error.
    package func with(error: Double?) -> Fraction { Fraction(trusted: numerator, denominator, error) }

    /// The rate as a number in 0…1.
    package var value: Double { Double(numerator) / Double(denominator) }

    /// Those without the property, of the same whole: crashed sessions become crash-free ones.
    package var complement: Fraction { Fraction(trusted: denominator - numerator, denominator, error) }

    private init(trusted numerator: Int, _ denominator: Int, _ error: Double?) {
        self.numerator = numerator
        self.denominator = denominator
        self.error = error
    }
}

/// What one source counted of the use of an app on one day; a count that it does not give is nil.
package struct UsageDay: Hashable, Codable, Sendable {
    /// The day, in the source's zone.
    package var date: CivilDate
    /// Distinct users of the day.
    package var activeUsers: Int?
    /// Distinct users of the seven days that end with it.
    package var weeklyActiveUsers: Int?
    /// Distinct users of the 28 or 30 days that end with it, as the source defines a month.
    package var monthlyActiveUsers: Int?
    /// Users seen for the first time.
    package var newUsers: Int?
    /// All sessions.
    package var sessions: Int?

    /// Makes a day.
    package init(
        date: CivilDate, activeUsers: Int? = nil, weeklyActiveUsers: Int? = nil,
        monthlyActiveUsers: Int? = nil,
        newUsers: Int? = nil, sessions: Int? = nil
    ) {
        self.date = date
        self.activeUsers = activeUsers
        self.weeklyActiveUsers = weeklyActiveUsers
        self.monthlyActiveUsers = monthlyActiveUsers
        self.newUsers = newUsers
        self.sessions = sessions
    }
}
