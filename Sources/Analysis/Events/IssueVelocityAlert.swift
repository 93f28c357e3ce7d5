package import AppHealth
package import Statistics

/// An issue spreads faster than before, or met a large share of the sessions of one version while it is new.
package struct IssueVelocityAlert: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The issue.
    package let issue: Issue
    /// The label of the version; nil for all versions together.
    package let version: String?
    /// Events of the issue of the sessions of the version, over the hours that ended with `occasion.at`.
    package let share: Fraction
    /// How many hours the share was counted over: 1, 2 or 4, or whole days.
    package let hours: Int
    /// Users of the issue on that day; nil when unknown.
    package let users: Int?
    /// Why it is told.
    package let grounds: Grounds

    /// Why an issue is told of.
    package enum Grounds: Hashable, Sendable {
        /// It is so new that it has no past, and passed the plain thresholds.
        case newIssue
        /// Its own past and the app's record do not explain it; with the false alarms to expect in a year.
        case ownPast(VelocityFinding, falseReportsPerYear: Double)
        /// It was muted up to a level and reached it.
        case worseThanMuted
    }
}
