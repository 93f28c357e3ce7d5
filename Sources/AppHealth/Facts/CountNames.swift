/// What tables, tiles and lists call counts of use, in lower case.
package let countLabels: Set = [
    "users", "events", "sessions", "crashes", "crashed", "crashed users",
    "crashed sessions", "active users",
    "daily active users", "weekly active users", "monthly active users", "new users", "returning users",
    "total users", "total events", "affected users", "total", "allowed", "spent", "remaining", "daily",
    "weekly", "monthly", "user-days",
]

/// The columns of all tables that hold numbers of users, sessions or events, or what they could be found from.
package let countColumns: Set = [
    "sessions", "crashedSessions", "users", "crashedUsers", "crashes", "events", "eventsInWindow",
    "activeUsers",
    "weeklyActiveUsers", "monthlyActiveUsers", "newUsers", "total", "allowed", "spent", "left",
    "rolloutNeeded", "crashed", "of", "budgetSpent", "budgetAllowed", "adoptionSessions", "adoptionOf",
    "stageCount", "stageOf", "atAgeSessions", "atAgeCrashed", "atSessionsSessions", "atSessionsCrashed",
    "laterTotal", "laterCrashed", "earlierTotal", "earlierCrashed", "laterEvents", "earlierEvents",
    "firstSessions", "eventsBefore", "namedShare", "userDays", "crashedUserDays",
]
