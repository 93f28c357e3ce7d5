/// What one source counted of the use of an app on one day; a count that it does not give is nil.
package struct UsageDay: Hashable, Sendable {
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
