/// The names of figures: the same on pages, in `explain`, in checks and in the links to a figure.
///
/// What a figure is called is text, and may be reworded without changing its name.
package enum FigureID: String, Hashable, Codable, Sendable, CaseIterable {
    case crashFreeUsers = "crash-free-users"
    case crashFreeSessions = "crash-free-sessions"
    /// Of users of single days: who used the app on two days counts twice.
    case crashFreeUserDays = "crash-free-user-days"
    case activeUsers = "active-users"
    case sessions
    case userDays = "user-days"
    case crashedSessions = "crashed-sessions"
    case users
    case crashes
    case crashedUsers = "users-who-met-a-crash"
    case sessionAdoption = "session-adoption"
    case dailyActiveUsers = "daily-active-users"
    case weeklyActiveUsers = "weekly-active-users"
    case monthlyActiveUsers = "monthly-active-users"
    case stickiness
    case newUsers = "new-users"
    case coverage
    case errorBudget = "error-budget"
    case windowEvents = "events-in-28-days"
    case newIssues = "new-issues-in-28-days"
    case allEvents = "events-in-all"
    case allUsers = "users-in-all"
    case sessionShare = "share-of-sessions"
    case sameAge = "crash-free-sessions-at-the-same-age"
    case sameSessions = "crash-free-sessions-at-as-many-sessions"
    case lives = "crash-free-sessions-over-their-lives"
    case userDaysAtAge = "crash-free-user-days-at-the-same-age"
    case sameUserDays = "crash-free-user-days-at-as-many-user-days"
    case usersAtAge = "crash-free-users-at-the-same-age"
    case usersOnDay = "crash-free-users-on-the-same-day"
    case sameAgeDifference = "difference-of-crash-free-sessions-at-the-same-age"
    case sameSessionsDifference = "difference-of-crash-free-sessions-at-as-many-sessions"
    case livesDifference = "difference-of-crash-free-sessions-over-their-lives"
    case userDaysAtAgeDifference = "difference-of-crash-free-user-days-at-the-same-age"
    case sameUserDaysDifference = "difference-of-crash-free-user-days-at-as-many-user-days"
    case usersAtAgeDifference = "difference-of-crash-free-users-at-the-same-age"
    case usersOnDayDifference = "difference-of-crash-free-users-on-the-same-day"
    /// The change of a rate, or of what an event reports.
    case change
    /// The rate on which an event rests.
    case crashFree = "crash-free"
    /// The parts of a drop.
    case dropParts = "why-it-fell"
    /// The events of an issue, or of all issues, on a day.
    case events
}

/// What figures are called.
package struct FigureLabels: Hashable, Codable, Sendable {
    private let texts: [FigureID: String]

    /// Labels that replace the standard ones.
    package init(_ texts: [FigureID: String]) { self.texts = texts }

    /// The labels of every site.
    package static let standard = FigureLabels([:])

    /// What a figure is called.
    package subscript(id: FigureID) -> String { texts[id] ?? Self.text(of: id) }

    private static func text(of id: FigureID) -> String {
        switch id {
        case .crashFreeUsers: "Crash-free users"
        case .crashFreeSessions: "Crash-free sessions"
        case .crashFreeUserDays: "Crash-free user-days"
        case .activeUsers: "Active users"
        case .sessions: "Sessions"
        case .userDays: "User-days"
        case .crashedSessions: "Crashed sessions"
        case .users: "Users"
        case .crashes: "Crashes"
        case .crashedUsers: "Affected users"
        case .sessionAdoption: "Session adoption"
        case .dailyActiveUsers: "Daily active users"
        case .weeklyActiveUsers: "Weekly active users"
        case .monthlyActiveUsers: "Monthly active users"
        case .stickiness: "Stickiness"
        case .newUsers: "New users"
        case .coverage: "Coverage"
        case .errorBudget: "Error budget"
        case .windowEvents: "Events in 28 days"
        case .newIssues: "New issues in 28 days"
        case .allEvents: "Total events"
        case .allUsers: "Total users"
        case .sessionShare: "Share of sessions"
        case .sameAge: "Crash-free sessions at the same age"
        case .sameSessions: "Crash-free sessions at the same session count"
        case .lives: "Crash-free sessions, lifetime"
        case .userDaysAtAge: "Crash-free user-days at the same age"
        case .sameUserDays: "Crash-free user-days at the same number of user-days"
        case .usersAtAge: "Crash-free users at the same age"
        case .usersOnDay: "Crash-free users on the same day"
        case .sameAgeDifference: "Difference of crash-free sessions at the same age"
        case .sameSessionsDifference: "Difference of crash-free sessions at the same session count"
        case .livesDifference: "Difference of crash-free sessions, lifetime"
        case .userDaysAtAgeDifference: "Difference of crash-free user-days at the same age"
        case .sameUserDaysDifference: "Difference of crash-free user-days at the same number of user-days"
        case .usersAtAgeDifference: "Difference of crash-free users at the same age"
        case .usersOnDayDifference: "Difference of crash-free users on the same day"
        case .change: "Change"
        case .crashFree: "Crash-free rate"
        case .dropParts: "Drop of crash-free sessions"
        case .events: "Events"
        }
    }
}
