import AppHealth

/// The days of which a report reads every revision of users, sessions and use, not the newest one alone: how much of a day
/// comes late is learned from them, so compacting leaves them whole.
enum LearnedDays {
    /// How many days before that of the newest capture: one more, as a zone may be ahead.
    static let count = LateCounts.learnedDays + 1

    /// The first of them for a newest capture.
    static func first(before newest: Instant) -> CivilDate { newest.date.advanced(by: -count) }
}
