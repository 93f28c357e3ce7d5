/// One shipped version of an app.
package struct Release: Hashable, Sendable {
    /// Its label and build.
    package var version: Version
    /// When it was first seen in users' hands; nil when the source does not say.
    package var releasedAt: Instant?
    /// What the source counts over the whole life of the release; nil when it does not.
    package var lifetime: ReleaseTotals?

    /// Makes a release.
    package init(version: Version, releasedAt: Instant?, lifetime: ReleaseTotals? = nil) {
        self.version = version
        self.releasedAt = releasedAt
        self.lifetime = lifetime
    }
}

/// Counts over the whole life of a release, as the source gives them.
package struct ReleaseTotals: Hashable, Sendable {
    /// All sessions.
    package var sessions: Int?
    /// Sessions that ended in a crash or an unhandled error.
    package var crashedSessions: Int?
    /// Sessions of the last 24 hours before the capture.
    package var sessionsLastDay: Int?

    /// Makes the counts.
    package init(sessions: Int?, crashedSessions: Int?, sessionsLastDay: Int?) {
        self.sessions = sessions
        self.crashedSessions = crashedSessions
        self.sessionsLastDay = sessionsLastDay
    }
}
