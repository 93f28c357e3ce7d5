/// A column of a table of days; the raw value is its name in the header.
enum CSVColumn: String, CaseIterable, Sendable {
    /// The day, `2026-11-19`.
    case date
    /// The label of a release; empty for all releases together.
    case release
    /// All sessions of the day.
    case sessions
    /// Sessions that ended in a crash.
    case crashedSessions = "crashed_sessions"
    /// Distinct users of the day.
    case users
    /// Distinct users who met a crash.
    case crashedUsers = "crashed_users"
    /// Distinct users of the day, for usage.
    case activeUsers = "active_users"
    /// Users seen for the first time.
    case newUsers = "new_users"
}

/// What a comment may tell of the whole table: `# zone: Europe/Lisbon`; the raw value is the word before the
/// colon, as in a snapshot file.
enum CSVFact: String, CaseIterable, Sendable {
    case app, capturedAt, name, session, user, zone, delay
}
