/// A field of a table of days; the raw value is its name in the header and in the configuration.
package enum CSVColumn: String, CaseIterable, Sendable {
    /// The day.
    case date
    /// The label of a release; empty for all releases together.
    case release
    /// All sessions of the day.
    case sessions
    /// Sessions that ended in a crash.
    case crashedSessions = "crashed_sessions"
    /// Distinct users of the day.
    case users
    /// Distinct affected users.
    case crashedUsers = "crashed_users"
    /// Crash events of the day.
    case crashes
    /// Distinct users of the day, for usage.
    case activeUsers = "active_users"
    /// Users seen for the first time.
    case newUsers = "new_users"
    /// The share of sessions without a crash; with `sessions` it gives `crashed_sessions`.
    case crashFreeSessions = "crash_free_sessions"
    /// The share of users without a crash; with `users` it gives `crashed_users`.
    case crashFreeUsers = "crash_free_users"
    /// The share of sessions with a crash.
    case crashedSessionsRate = "crashed_sessions_rate"
    /// The share of users with a crash.
    case crashedUsersRate = "crashed_users_rate"

    /// A rate with what it is of and what it gives; nil for every other field.
    var rate: (whole: CSVColumn, part: CSVColumn, isCrashFree: Bool)? {
        switch self {
        case .crashFreeSessions: (.sessions, .crashedSessions, true)
        case .crashedSessionsRate: (.sessions, .crashedSessions, false)
        case .crashFreeUsers: (.users, .crashedUsers, true)
        case .crashedUsersRate: (.users, .crashedUsers, false)
        default: nil
        }
    }

    /// Whether its cells are counts.
    var isCount: Bool { self != .date && self != .release && rate == nil }

    /// Whether its cells count crashes or what they affected.
    var countsCrashes: Bool { [.crashes, .crashedSessions, .crashedUsers].contains(self) }

    /// What other programs call it; compared by letters and digits alone.
    var otherNames: [String] {
        switch self {
        case .date:
            [
                "day", "datum", "tag", "fecha", "dia", "data", "eventdate", "timestamp", "time",
                "timestamptoday", "nthday",
            ]
        case .release:
            ["version", "appversion", "displayversion", "appversionname", "releaseversion", "build"]
        case .sessions: ["sessioncount", "totalsessions", "sumsession", "sitzungen", "sessionstotal"]
        case .crashedSessions:
            [
                "sessionswithcrash", "sessionswithacrash", "sessionswithcrashes", "crashsessions",
                "sessionscrashed",
            ]
        case .users:
            [
                "totalusers", "usercount", "uniqueusers", "devices", "nutzer", "benutzer", "dau",
                "dailyusers",
                "gesamtnutzer", "nutzergesamt", "nutzerinsgesamt",
            ]
        case .crashedUsers:
            [
                "crashaffectedusers", "affectedusers", "impactedusers", "userswithcrash", "userswithacrash",
                "userswithcrashes", "userscrashed", "usersaffected", "usersimpacted", "countuniqueuser",
            ]
        case .crashes:
            ["crashcount", "crashevents", "dailycrashes", "totalcrashes", "abstürze", "events", "count"]
        case .activeUsers: ["activedevices", "aktivenutzer", "dailyactiveusers"]
        case .newUsers: ["newdevices", "installs", "firsttimeusers", "neuenutzer", "dailyuserinstalls"]
        case .crashFreeSessions: ["crashfreesessionsrate", "crashfreesessionrate"]
        case .crashFreeUsers: ["crashfreeusersrate", "crashfreeuserrate", "crashfreerate", "crashfree"]
        case .crashedSessionsRate: ["sessioncrashrate", "crashratesessions"]
        case .crashedUsersRate: ["crashrate", "usercrashrate", "userperceivedcrashrate"]
        }
    }
}

/// The letters and digits of a header in lower case: `Crashed Sessions` and `crashed_sessions` are the same.
func headerKey(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
}

/// What a comment may say of the whole table: `# zone: Europe/Lisbon`; the raw value is the word before the
/// colon, as in a snapshot file.
enum CSVFact: String, CaseIterable, Sendable {
    case app, capturedAt, name, session, user, zone, delay
}
